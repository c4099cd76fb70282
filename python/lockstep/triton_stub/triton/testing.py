"""`triton.testing`: timing on the CPU clock. Chart functions are not here."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any


def do_bench(fn: Callable[[], Any], warmup: float = 25, rep: float = 100, grad_to_none: Sequence[Any] | None = None,
             quantiles: Sequence[float] | None = None, return_mode: str = "mean") -> Any:  # fmt: skip
    """Milliseconds of a call: mean, median, min, max or all (as `return_mode` asks), or the given quantiles."""
    fn()
    times: list[float] = []
    end = time.perf_counter() + (warmup + rep) / 1000
    while not times or time.perf_counter() < end:
        for tensor in grad_to_none or ():
            tensor.grad = None
        start = time.perf_counter()
        fn()
        times.append((time.perf_counter() - start) * 1000)
    if quantiles is not None:
        ordered = sorted(times)
        found = [ordered[min(int(q * len(ordered)), len(ordered) - 1)] for q in quantiles]
        return found[0] if len(found) == 1 else found
    modes: dict[str, Callable[[list[float]], Any]] = {"mean": statistics.fmean, "median": statistics.median, "min": min,
                                                      "max": max, "all": list}  # fmt: skip
    return modes[return_mode](times)
