"""What ran in a corpus test: every Triton kernel of a package, on which target, in which dtypes, and how well it
agreed.

Use: `with Recorder(package, test) as recorder: ...; recorder.agreed(error, bound)`. While it is entered,
JITFunction.run and CompiledKernel.__getitem__ (for packages that keep compiled kernels) are wrapped to note the
kernel's qualified name and the float types of its tensors; nothing about the launch is changed. `lines()` gives one
record per (kernel, target, dtypes, direction); `write()` appends them as JSON lines to the file named by
LOCKSTEP_CORPUS_OUT, from which tests/corpus/table.py makes docs/corpus.md. It does not judge: the tests do.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterator
from typing import Any, Self

import torch
from triton.compiler import CompiledKernel
from triton.runtime.driver import driver
from triton.runtime.jit import JITFunction


def _float_types(arguments: tuple[Any, ...], options: dict[str, Any]) -> str:
    tensors = [a for a in (*arguments, *options.values()) if isinstance(a, torch.Tensor)]
    found = {str(t.dtype).removeprefix("torch.") for t in tensors if t.dtype.is_floating_point}
    found = found or {str(t.dtype).removeprefix("torch.") for t in tensors}
    narrow = found - {"float32"}
    return "+".join(sorted(narrow or found)) or "none"


Key = tuple[str, str, str, str]  # kernel, target, float types, direction


class Recorder:
    """One test's launches. `error` and `bound` are the worst pair by error/bound that `agreed` was told."""

    def __init__(self, package: str, test: str) -> None:
        self.package, self.test = package, test
        self.launches: dict[Key, int] = {}
        self.seconds: dict[Key, float] = {}
        self.error: float | None = None
        self.bound: float | None = None
        self.outputs = 0
        self.agrees: bool | None = None
        self.direction = "forward"
        self._started = 0.0
        self._originals: tuple[Any, Any] = (None, None)

    def __enter__(self) -> Self:
        self._started = time.perf_counter()
        self._originals = run, get_item = JITFunction.run, CompiledKernel.__getitem__

        def noted_run(jit: JITFunction, *args: Any, **kwargs: Any) -> Any:
            return self._noted(jit.fn, lambda: run(jit, *args, **kwargs), args, kwargs)

        def noted_item(kernel: CompiledKernel, grid: Any) -> Callable[..., Any]:
            runner, function = get_item(kernel, grid), kernel.src.fn.fn
            return lambda *args, **kwargs: self._noted(function, lambda: runner(*args, **kwargs), args, kwargs)

        JITFunction.run, CompiledKernel.__getitem__ = noted_run, noted_item
        return self

    def __exit__(self, *_: object) -> None:
        JITFunction.run, CompiledKernel.__getitem__ = self._originals

    def _noted(self, function: Any, launch: Callable[[], Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        target = f"sm_{driver.active.get_current_target().arch}"
        key = (f"{function.__module__}.{function.__qualname__}", target, _float_types(args, kwargs), self.direction)
        before = time.perf_counter()
        try:
            return launch()
        finally:
            self.launches[key] = self.launches.get(key, 0) + 1
            self.seconds[key] = self.seconds.get(key, 0.0) + time.perf_counter() - before

    @contextlib.contextmanager
    def backward(self) -> Iterator[None]:
        """Launches in this block belong to the backward pass."""
        self.direction = "backward"
        try:
            yield
        finally:
            self.direction = "forward"

    def agreed(self, error: float, bound: float) -> None:
        """One more output compared: its error and what was allowed. The worst pair is kept."""
        self.outputs += 1
        within = error <= bound
        self.agrees = within if self.agrees is None else self.agrees and within
        if self.error is None or self.bound is None or not error * self.bound <= self.error * bound:
            self.error, self.bound = error, bound

    def lines(self, failed: bool = False) -> list[dict[str, Any]]:
        """One record per kernel, target, dtype and direction; `agrees` is None where nothing was compared."""
        common = {
            "test": self.test,
            "agrees": False if failed else self.agrees,
            "error": self.error,
            "bound": self.bound,
            "outputs": self.outputs,
            "test_seconds": round(time.perf_counter() - self._started, 3),
        }
        return [
            {
                "package": self.package,
                "kernel": key[0],
                "target": key[1],
                "dtype": key[2],
                "direction": key[3],
                "launches": count,
                "seconds": round(self.seconds[key], 3),
                **common,
            }
            for key, count in self.launches.items()
        ]

    def write(self, failed: bool = False) -> None:
        """Append the records to the file in LOCKSTEP_CORPUS_OUT, if it is set."""
        path = os.environ.get("LOCKSTEP_CORPUS_OUT")
        if not path:
            return
        with open(path, "a", encoding="utf-8") as out:
            out.writelines(json.dumps(line) + "\n" for line in self.lines(failed))
