"""Whether Lockstep is Triton's driver by default: the environment variable LOCKSTEP, or no GPU driver at all.

LOCKSTEP=1 makes it so beside a GPU, LOCKSTEP=0 never. Triton asks every backend and accepts exactly one, so with
LOCKSTEP=1 the others are made to say no before Triton asks. Also says once, on standard error, when TRITON_INTERPRET
takes kernels away from Lockstep. Invariant: nothing here imports torch or the engine."""

from __future__ import annotations

import glob
import os
import sys
from typing import Any

from lockstep.triton_backend import versions

_GPU_FILES = ("/dev/nvidiactl", "/dev/nvidia[0-9]*", "/dev/kfd", "/dev/dxg")
_said: set[str] = set()


def request() -> bool | None:
    """The setting of LOCKSTEP: True, False, or None without one. Raises OptionError for anything else."""
    text = os.environ.get("LOCKSTEP", "").strip().lower()
    if text in ("", "auto"):
        return None
    if text in ("1", "true", "on", "yes"):
        return True
    if text in ("0", "false", "off", "no"):
        return False
    from lockstep.errors import OptionError

    raise OptionError(f"the environment variable LOCKSTEP must be 0 or 1, not {text!r}")


def is_default() -> bool:
    """Whether Triton's default driver is ours. May ask the other backends, which may import torch."""
    wanted = request()
    if wanted is None and _is_named_by_triton():
        return True
    return wanted if wanted is not None else not any(driver.is_active() for driver in other_drivers())


def _is_named_by_triton() -> bool:
    """TRITON_DEFAULT_BACKEND=lockstep, in a Triton that reads it."""
    return versions.reads_default_backend() and os.environ.get("TRITON_DEFAULT_BACKEND") == "lockstep"


def other_drivers() -> list[Any]:
    """The driver classes of all other backends that Triton knows."""
    return [found.driver for found in other_backends()]


def other_backends() -> list[Any]:
    """Triton's records (compiler, driver) of all other backends."""
    module = sys.modules.get("triton.backends")
    known = getattr(module, "backends", {})
    return [found for found in known.values() if not getattr(found.driver, "is_lockstep", False)]


def mention_interpreter() -> None:
    """Warns on standard error, once, if Triton's own interpreter runs the kernels and Lockstep could."""
    if os.environ.get("TRITON_INTERPRET", "").lower() not in ("1", "true", "on", "y", "yes") or "interpret" in _said:
        return
    try:
        wanted = request()
    except ValueError:
        wanted = None
    if wanted is False or (wanted is None and any(glob.glob(pattern) for pattern in _GPU_FILES)):
        return
    _said.add("interpret")
    print("lockstep: TRITON_INTERPRET is set, so Triton's own interpreter runs the kernels and Lockstep is bypassed "
          "(unset it, or use: python -m lockstep)", file=sys.stderr)  # fmt: skip


def claim() -> None:
    """With LOCKSTEP=1, makes the drivers of all other backends report that they are inactive. For Triton's import only."""
    try:
        if request() is not True:
            return
    except ValueError:
        return  # said when Triton asks for its driver
    import importlib
    from importlib.metadata import entry_points

    from triton.backends.driver import DriverBase

    for entry in entry_points(group="triton.backends"):
        if entry.value == __package__:
            continue
        try:
            module = importlib.import_module(f"{entry.value}.driver")
        except Exception:  # noqa: BLE001, S112 (Triton imports it next and says what is wrong)
            continue
        for found in vars(module).values():
            if isinstance(found, type) and issubclass(found, DriverBase) and "is_active" in vars(found):
                found.is_active = staticmethod(lambda: False)
