"""Kernels launched without Triton: the C++ front end reads the file, no compiler but Lockstep is needed.

    add = lockstep.kernel("kernels.py", "add")
    add[(4,)](x, y, out, n, BLOCK=256)          # NumPy arrays, torch CPU tensors, anything with DLPack

Invariant: a specialisation is compiled once; what the file said when it was first read holds until `reload()`. What the
front end cannot read (docs/python.md) is an error that names the construct. Types and constants of parameters are
decided by specialise.py."""

from __future__ import annotations

import collections
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lockstep import configuration, errors, settings, tuned
from lockstep.errors import LaunchError
from lockstep.specialise import Specialisation, constant, is_descriptor, run_time_values, specialise

if TYPE_CHECKING:
    from lockstep._native import Kernel, KernelInfo, LaunchReport

# Asked before each launch: kernel, arguments by name, grid, launch options.
watchers: list[Callable[[FileKernel, Mapping[str, Any], Sequence[int], Mapping[str, Any]], None]] = []
# The parameters of Triton's launcher besides the kernel's own; only those that a kernel can see have an effect here.
LAUNCH_OPTIONS = frozenset({"num_warps", "num_stages", "num_ctas", "maxnreg", "debug", "enable_fp_fusion", "grid", "warmup",
                            "stream", "launch_cooperative_grid", "launch_pdl", "ir_override", "config"})  # fmt: skip
MAX_KEPT_TUNINGS = 256


def kernel(path: str | os.PathLike[str], name: str | None = None, *, search_path: Sequence[str] = (),
           globals: Mapping[str, Any] | None = None, source: str | None = None) -> FileKernel:  # fmt: skip
    """A `@triton.jit` function of a Python file, ready to be launched as `kernel(...)[grid](*arguments, **arguments)`.

    name: the function; may be left out where the file has one. search_path: folders for the file's imports, after its
    own folder. globals: values of module-level names that only Python could know. source: the file's text, where `path`
    only names it. Raises lockstep.CompileError if the file cannot be read as a kernel file, lockstep.LaunchError if it
    has no such kernel.
    """
    return FileKernel(os.fspath(path), name, search_path=search_path, globals=globals, source=source)


class FileKernel:
    """A kernel of a file. `[grid]` makes it launchable; `run` and `warmup` are as in Triton."""

    def __init__(self, path: str, name: str | None, *, search_path: Sequence[str] = (),
                 globals: Mapping[str, Any] | None = None, source: str | None = None) -> None:  # fmt: skip
        self.path = path
        self.search_path = [os.fspath(folder) for folder in search_path]
        self.globals = {key: constant(key, value) for key, value in (globals or {}).items()}
        self._source = source
        self._wanted = name
        self._lock = threading.Lock()
        self.reload()

    def reload(self) -> None:
        """Reads the file again and forgets compiled kernels."""
        from lockstep import _native

        with translated_errors():
            kernels = _native.list_kernels(self.path, self._source)
        self._info = _choose(self.path, self._wanted, kernels)
        self._compiled: dict[Any, Kernel] = {}
        self._tuned: collections.OrderedDict[Any, tuned.Tuned] = collections.OrderedDict()

    @property
    def name(self) -> str:
        return self._info.name

    @property
    def arg_names(self) -> list[str]:
        return [parameter.name for parameter in self._info.parameters]

    def __repr__(self) -> str:
        return f"<lockstep kernel {self.name} of {self.path}:{self._info.line}>"

    def __getitem__(self, grid: Any) -> Callable[..., LaunchReport]:
        def launch(*args: Any, **kwargs: Any) -> LaunchReport:
            __tracebackhide__ = True
            return self.run(*args, grid=grid, **kwargs)

        return launch

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Explains how to launch: a kernel needs a grid. Raises LaunchError."""
        names = [f"{p.name}={p.name}" if p.is_constexpr else p.name for p in self._info.parameters if not p.has_default]
        raise LaunchError(
            f"{self.name} is a kernel and needs a grid: {self.name}[grid]({', '.join(names)}), where grid is the number of "
            "programs: an int, up to three ints, or a function of the arguments"
        )

    @property
    def source(self) -> str | None:
        """The text given in place of the file's; None: the file's."""
        return self._source

    def warmup(self, *args: Any, grid: Any = None, **kwargs: Any) -> Kernel:
        """Compiles for these arguments; launches nothing."""
        values, launch_options = self._bind(args, kwargs)
        return self._kernel_for(specialise(self.name, self._info.parameters, values), launch_options)

    def run(self, *args: Any, grid: Any, warmup: bool = False, **kwargs: Any) -> LaunchReport:
        """Launches over `grid`: an int, up to three ints, or a function of the arguments by name. Returns the report.

        Findings are treated as the options say (by default errors raise lockstep.KernelError).
        """
        from lockstep import report

        values, launch_options = self._bind(args, kwargs)
        chosen = specialise(self.name, self._info.parameters, values)
        compiled = self._kernel_for(chosen, launch_options)
        if warmup:
            return compiled  # type: ignore[return-value]  # as Triton's run(warmup=True)
        names = [name for name, _ in chosen.signature]
        extents = grid_extents(grid, values)
        for watcher in watchers:
            watcher(self, values, extents, launch_options)
        result = compiled.launch(extents, _launch_arguments(compiled, chosen), names)
        report.handle(result)
        return result

    def _bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Every parameter's value by name, as a Python call binds them, and the launch options."""
        names = self.arg_names
        if len(args) > len(names):
            raise LaunchError(f"{self.name} takes {len(names)} arguments, {len(args)} were given")
        values = dict(zip(names, args, strict=False))
        launch_options = {}
        for key, value in kwargs.items():
            if key in values:
                raise LaunchError(f"{self.name} got two values for {key!r}")
            if key in names:
                values[key] = value
            elif key in LAUNCH_OPTIONS:
                launch_options[key] = value
            else:
                raise LaunchError(f"{self.name} has no parameter {key!r}; it has {', '.join(names)}")
        self._add_tuned(values, launch_options)
        for parameter in self._info.parameters:
            if parameter.name not in values:
                if not parameter.has_default:
                    raise LaunchError(f"{self.name}: no argument for the parameter {parameter.name!r}")
                values[parameter.name] = parameter.default
        return values, launch_options

    def _add_tuned(self, values: dict[str, Any], launch_options: dict[str, Any]) -> None:
        """The values of @triton.autotune and @triton.heuristics that the caller did not give."""
        config = launch_options.pop("config", None)
        if config is not None and not self._info.is_autotuned:
            raise LaunchError(f"{self.name}: config={config!r}, but it has no @triton.autotune")
        if config is None and self._info.is_autotuned:
            config = settings.current().config
            configuration.note()
        if not self._info.is_autotuned and not self._info.has_heuristics:
            return
        arguments = {p.name: tuned.known_of(p, values[p.name]) for p in self._info.parameters if p.name in values}
        key = (tuned.key_of(arguments), config, settings.current().target)
        with self._lock:
            found = self._tuned.get(key)
            if found is None:
                found = self._tuned[key] = self._tune(arguments, config)
                if len(self._tuned) > MAX_KEPT_TUNINGS:
                    self._tuned.popitem(last=False)
        for name, value in found.values.items():
            values.setdefault(name, value)
        for name, number in found.options.items():
            launch_options.setdefault(name, number)

    def _tune(self, arguments: dict[str, tuned.Known], config: int | None) -> tuned.Tuned:
        from lockstep import _native

        with translated_errors():
            values, warps, stages = _native.tune(
                self.path, self.name, arguments=arguments, source=self._source, target=settings.current().target,
                search_path=self.search_path + sys.path, globals=self.globals, config=config)  # fmt: skip
        options = {"num_warps": warps, "num_stages": stages}
        return tuned.Tuned(values, {name: number for name, number in options.items() if number is not None})

    def _kernel_for(self, chosen: Specialisation, launch_options: Mapping[str, Any]) -> Kernel:
        from lockstep import _native

        target = settings.current().target
        options = {key: launch_options[key] for key in ("num_warps", "num_stages") if key in launch_options}
        flags = {
            "debug": bool(launch_options.get("debug")),
            "fp_fusion": launch_options.get("enable_fp_fusion") is not False,
        }
        key = (chosen.key(), target, tuple(sorted(options.items())), tuple(flags.items()))
        with self._lock:
            if key not in self._compiled:
                with translated_errors():
                    module = _native.Module.from_python(
                        self.path, self.name, signature=dict(chosen.signature), constants=dict(chosen.constants),
                        divisible=chosen.divisible, source=self._source, target=target,
                        search_path=self.search_path + sys.path, globals=self.globals, **options, **flags)  # fmt: skip
                    values = {name: _shown(value) for name, value in chosen.constants}
                    self._compiled[key] = module.kernel(constants=values)
            return self._compiled[key]


class translated_errors:  # noqa: N801  (a block of its own, not of contextlib: its frames would stand in tracebacks)
    """The engine's CompileError as Lockstep's own."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        from lockstep import _native

        __tracebackhide__ = True
        if isinstance(error, _native.CompileError):
            raise errors.from_compile_error(error) from None


def _choose(path: str, name: str | None, kernels: Sequence[KernelInfo]) -> KernelInfo:
    if name is None and len(kernels) == 1:
        return kernels[0]
    found = next((info for info in kernels if info.name == name), None)
    if found is not None:
        return found
    there = ", ".join(info.name for info in kernels)
    if not kernels:
        raise LaunchError(f"{path} has no kernel: no function under @triton.jit at module level")
    if name is not None:
        raise LaunchError(f"{path} has no kernel {name!r} at module level; it has {there}")
    raise LaunchError(f"{path} has {len(kernels)} kernels: {there}; choose one: lockstep.kernel({path!r}, {kernels[0].name!r})")


def _shown(value: Any) -> Any:
    """A constant in the form of a debugger."""
    if isinstance(value, tuple):
        return "(" + ", ".join(repr(_shown(element)) for element in value) + ("," if len(value) == 1 else "") + ")"
    return getattr(value, "name", value)


def _launch_arguments(compiled: Kernel, chosen: Specialisation) -> list[Any]:
    """One argument per parameter of the compiled kernel: descriptors come before their shape and strides."""
    arguments: list[Any] = []
    for given in chosen.arguments:
        for value in run_time_values(given):
            arguments.append(value)
            if is_descriptor(value):
                arguments += [*map(int, value.shape), *map(int, value.strides)]
    return arguments


def grid_extents(grid: Any, values: Mapping[str, Any]) -> tuple[int, int, int]:
    """Three extents of a grid, in any form that Triton takes. Raises LaunchError."""
    if callable(grid):
        grid = grid(dict(values))
    extents = tuple(grid) if isinstance(grid, (tuple, list)) else (grid,)
    if not 1 <= len(extents) <= 3:
        raise LaunchError(f"a grid has one to three dimensions, not {len(extents)}")
    try:
        numbers = [extent.__index__() for extent in extents]
    except AttributeError:
        raise LaunchError(f"a grid takes integers, not {grid!r}") from None
    if any(extent < 0 for extent in numbers):
        raise LaunchError(f"a grid's dimensions must not be negative: {grid!r}")
    return tuple(numbers + [1] * (3 - len(numbers)))  # type: ignore[return-value]
