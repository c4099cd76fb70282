"""Launches of Triton kernels past the function mode.

Triton asks each tensor argument for its address and type, and the mode would see every question: ten microseconds for
three tensors. What a launch does with tensors needs no mode."""

from __future__ import annotations

import functools
from typing import Any

import torch

from lockstep.pretend.patching import Patch

_DisableTorchFunction = torch._C.DisableTorchFunction


def rows(jit: Any) -> list[Patch]:
    """Rows for triton.runtime.jit."""
    raw = getattr(getattr(jit, "JITFunction", None), "run", None)
    if raw is None:
        return []

    @functools.wraps(raw)
    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        with _DisableTorchFunction():
            return raw(self, *args, **kwargs)

    return [Patch(jit.JITFunction, "run", run, "a launch asks each tensor for address and type")]
