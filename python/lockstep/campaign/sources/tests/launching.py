"""Gives a case's launch options to every launch that goes through triton.jit."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping
from typing import Any

_NAMES = ("num_warps", "num_stages")


@contextlib.contextmanager
def options(wanted: Mapping[str, Any]) -> Iterator[None]:
    """Inside, launches have these options, even if the caller or a tuner's configuration sets others."""
    changes = {name: wanted[name] for name in _NAMES if name in wanted}
    runtime = sys.modules.get("triton.runtime.jit")
    if not changes or runtime is None:
        yield
        return
    original = runtime.JITFunction.run

    def run(jit: Any, *args: Any, **kwargs: Any) -> Any:
        return original(jit, *args, **{**kwargs, **changes})

    runtime.JITFunction.run = run
    try:
        yield
    finally:
        runtime.JITFunction.run = original
