"""`@triton.jit`: a function whose file is read by Lockstep's C++ front end when it is first launched.

The Python body never runs. A kernel is found by its name at module level of its file (or of its notebook cell)."""

from __future__ import annotations

import functools
import inspect
import linecache
import os
from collections.abc import Callable
from typing import Any

from lockstep.standalone import FileKernel

from .language import constexpr


class KernelInterface:
    """An object that launches as `kernel[grid](...)`."""

    def run(self, *args: Any, grid: Any, warmup: bool = False, **kwargs: Any) -> Any:
        raise NotImplementedError

    def warmup(self, *args: Any, grid: Any = None, **kwargs: Any) -> Any:
        return self.run(*args, grid=grid, warmup=True, **kwargs)

    def __getitem__(self, grid: Any) -> Callable[..., Any]:
        return lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)


class JITFunction(KernelInterface):
    """A kernel, or a function that kernels call."""

    def __init__(self, fn: Callable[..., Any], **options: Any) -> None:
        functools.update_wrapper(self, fn)
        self.fn = fn
        self.options = options
        self.signature = inspect.signature(fn)
        self.arg_names = list(self.signature.parameters)
        self.pre_run_hooks: list[Callable[..., Any]] = []
        self._kernel: FileKernel | None = None

    @property
    def kernel(self) -> FileKernel:
        """Reads the file at the first use. Raises lockstep.LaunchError or lockstep.CompileError."""
        if self._kernel is None:
            path = self.fn.__code__.co_filename
            source = None if os.path.isfile(path) else "".join(linecache.getlines(path))
            self._kernel = FileKernel(path, self.fn.__name__, globals=_constants(self.fn.__globals__), source=source)
        return self._kernel

    def add_pre_run_hook(self, hook: Callable[..., Any]) -> None:
        self.pre_run_hooks.append(hook)

    def run(self, *args: Any, grid: Any, warmup: bool = False, **kwargs: Any) -> Any:
        for hook in self.pre_run_hooks:
            hook(*args, **kwargs)
        if self.options.get("debug") is not None:
            kwargs.setdefault("debug", self.options["debug"])
        return self.kernel.warmup(*args, **kwargs) if warmup else self.kernel.run(*args, grid=grid, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"{self.fn.__name__} is a kernel: launch it as {self.fn.__name__}[grid](...)")

    def __repr__(self) -> str:
        return f"<stand-in for triton.jit of {self.fn.__module__}.{self.fn.__qualname__}>"


def _constants(names: dict[str, Any]) -> dict[str, Any]:
    """Module-level tl.constexpr values: the Python variables that Triton lets kernels see."""
    found = {}
    for name, value in names.items():
        if isinstance(value, constexpr) and isinstance(value.value, (bool, int, float, str, type(None))):
            found[name] = value.value
    return found


def jit(fn: Callable[..., Any] | None = None, **options: Any) -> Any:
    """The decorator. Accepts the options of the real one; version, repr, noinline and launch_metadata change nothing."""
    return JITFunction(fn, **options) if fn is not None else lambda function: JITFunction(function, **options)


def constexpr_function(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Runs in Python on the host; in kernels the front end evaluates it."""
    return fn
