"""torch.histc of integers: torch's CPU kernel has floats alone, CUDA's has integers too.

Counts as CUDA's kernel does, in int64. Floats go to torch's own CPU kernel. Registered for torch's CPU key while the pretence holds."""

from __future__ import annotations

from typing import Any

import torch


def _histc(values: torch.Tensor, bins: int = 100, min: Any = 0, max: Any = 0) -> torch.Tensor:
    """Raises RuntimeError where CUDA's kernel does: no bins, a range that ends before it begins."""
    if values.is_floating_point() or values.dtype == torch.bool:  # torch's kernel refuses booleans by name
        return torch.ops.aten.histc.out(values, bins, min, max, out=values.new_empty(0))
    if bins <= 0:
        raise RuntimeError("bins must be > 0")
    wide = values.reshape(-1).to(torch.int64)
    low, high = int(min), int(max)
    if low == high and wide.numel() > 0:
        low, high = int(wide.min()), int(wide.max())
    if low == high:
        low, high = low - 1, high + 1
    if low > high:
        raise RuntimeError("max must be larger than min")
    inside = wide[(wide >= low) & (wide <= high)]
    numbers = torch.clamp((inside - low) * bins // (high - low), max=bins - 1)  # the last bin has its end, too
    return torch.bincount(numbers, minlength=bins).to(values.dtype)


def register(library: Any) -> None:
    """Replaces the CPU kernel in an "aten" library, until that is destroyed. The caller silences torch's warning of it."""
    library.impl("histc", _histc, "CPU")
