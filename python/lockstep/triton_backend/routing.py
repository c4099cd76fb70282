"""Which compiler takes a target: ours or the one that Triton brought along.

Ours takes its own targets always, and GPUTarget("cuda", ...) that a program made itself while Lockstep's driver is the
active one (Inductor does so). Invariant: within `to_nvidia()` ours takes nothing, so that Triton's NVIDIA stages can be
asked what they would have made; and for every target exactly one of the two sides says yes."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from contextvars import ContextVar

from triton.backends.compiler import GPUTarget

from lockstep.triton_backend import versions
from lockstep.triton_backend.target import is_marked

_nvidia_only: ContextVar[bool] = ContextVar("lockstep_nvidia_only", default=False)


def active_driver() -> object | None:
    """Triton's active driver if there is one already; never creates one."""
    module = sys.modules.get("triton.runtime.driver")
    config = getattr(module, "driver", None)
    if config is None:
        return None
    default, active = map(versions.made, versions.drivers(config))
    return active if active is not None else default


def is_our_driver(driver: object) -> bool:
    return getattr(driver, "is_lockstep", False) is True


def takes(target: GPUTarget) -> bool:
    """Whether Lockstep compiles for this target now."""
    if _nvidia_only.get():
        return False
    return is_marked(target) or (target.backend == "cuda" and is_our_driver(active_driver()))


@contextlib.contextmanager
def to_nvidia() -> Iterator[None]:
    """In this thread, targets named cuda go to Triton's NVIDIA backend."""
    token = _nvidia_only.set(True)
    try:
        yield
    finally:
        _nvidia_only.reset(token)
