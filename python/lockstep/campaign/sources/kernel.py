"""A kernel of a Python file, compiled by the C++ front end, with arguments as `lockstep run` takes them.

Neither Triton nor torch nor NumPy is needed (NumPy for a reference in Python). A worker keeps what it compiled."""

from __future__ import annotations

import os
import re
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lockstep.campaign import references
from lockstep.campaign.plan import Entry
from lockstep.campaign.sources import Context, Needs, Outcome, Refused
from lockstep.campaign.tables import Key

if TYPE_CHECKING:
    from lockstep._native import (
        HostArguments,
        HostBinding,
        Kernel,
        KernelInfo,
        LaunchReport,
        Module,
    )

KEYS = {
    "file": Key((str,), "the kernel's .py file", is_required=True),
    "kernel": Key((str,), "the kernel's name", is_required=True),
    "grid": Key((str, int), 'expressions over the arguments, for example "cdiv(n, BLOCK)"', is_required=True),
    "arguments": Key((dict,), "a table NAME = TEXT in the notation of `lockstep run`", is_required=True),
    "globals": Key((dict,), "a table NAME = VALUE of module-level names"),
}
REFERENCES = ("none", "numpy", "schedule0", "triton")
DEFAULTS = {"bounds": "view"}  # as `lockstep run`
_FILE = re.compile(r"@([^\s,()\[\]]+)")
_MOST_KERNELS = 256  # compiled ones that a worker keeps

_infos: dict[tuple[str, int, int], dict[str, KernelInfo]] = {}
_kernels: OrderedDict[Any, tuple[Module, Kernel]] = OrderedDict()


def source(entry: Entry, point: dict[str, Any]) -> dict[str, Any]:
    """The case's source, with everything spelled out, so that the case can run alone."""
    values = entry.values
    arguments = {name: entry.fill("arguments", text, point) for name, text in values["arguments"].items()}
    made = {"file": entry.fill("file", values["file"], point), "kernel": entry.fill("kernel", values["kernel"], point),
            "grid": entry.fill("grid", values["grid"], point), "arguments": arguments}  # fmt: skip
    if "globals" in values:
        made["globals"] = {name: entry.fill("globals", text, point) for name, text in values["globals"].items()}
    return made


def needs(case: Mapping[str, Any], root: Path) -> Needs:
    """The kernel's file, files that arguments are read from, the reference in Python."""
    given, reference = case["source"], references.of(case["reference"])
    data = [name for text in given["arguments"].values() for name in _FILE.findall(text)]
    modules = (reference.what.partition(":")[0],) if reference.kind == "numpy" else ()
    return Needs(tuple(os.path.join(root, name) for name in (given["file"], *data)), modules, (str(root),))


def run(case: dict[str, Any], context: Context) -> Outcome:
    """Launches once; calls a NumPy reference with the launch's arguments."""
    launch = Launch(case, context)
    reference = references.of(case["reference"])
    before = launch.host_tensors() if reference.kind == "numpy" else {}
    launch.make()
    outcome = Outcome(outputs={name: tensor.bytes() for name, tensor in launch.tensors.items()})
    if reference.kind == "numpy":
        references.judge(reference, launch.tensors, before | launch.scalars(), case["options"], outcome)
    return outcome


class Launch:
    """Arguments, kernel and grid of a case."""

    def __init__(self, case: dict[str, Any], context: Context) -> None:
        from lockstep import _native
        from lockstep.standalone import translated_errors

        self.case, self.source = case, case["source"]
        self.path = os.path.join(context.root, self.source["file"])
        texts = [f"{name}={text}" for name, text in self.source["arguments"].items()]
        with translated_errors(), _inside(context.root):
            self.arguments: HostArguments = _native.HostArguments(
                texts, seed=case["vary"].get("seed", 0), max_bytes=context.max_bytes
            )
        self.tensors = self.arguments.tensors

    def host_tensors(self) -> dict[str, Any]:
        """Copies of the tensors' elements as NumPy arrays."""
        return {name: references.array_of(tensor) for name, tensor in self.tensors.items()}

    def scalars(self) -> dict[str, Any]:
        return {name: references.scalar_of(text) for name, text in self.source["arguments"].items() if name not in self.tensors}

    def make(self) -> LaunchReport:
        """Raises what report.handle raises where the launch did not run to its end, and CompileError."""
        from lockstep import _native, report

        for tensor in self.tensors.values():
            if not tensor.is_initialised:
                storage = tensor.untyped_storage()
                _native.note_empty(storage.data_ptr(), storage.nbytes())
        try:
            _, kernel, grid, binding = self.prepared()
            made = kernel.launch(grid, binding.arguments, binding.names if len(binding.names) == len(binding.arguments) else [])
        finally:
            for tensor in self.tensors.values():
                _native.forget_empty(tensor.untyped_storage().data_ptr())
        report.handle(made)
        return made


    def prepared(self) -> tuple[Module, Kernel, tuple[int, int, int], HostBinding]:
        """The kernel to launch. Raises CompileError, and Refused for a configuration that the kernel lacks."""
        from lockstep import settings
        from lockstep.standalone import translated_errors

        now = settings.current()
        with translated_errors():
            info = _info(self.path, self.source["kernel"])
            if now.config is not None and not info.is_autotuned:
                raise Refused(f"{info.name} has no @triton.autotune, so there is no configuration {now.config}")
            globals_ = [f"{name}={text}" for name, text in self.source.get("globals", {}).items()]
            binding = self.arguments.bind(info, self.path, globals=globals_, target=now.target, config=now.config)
            module, kernel = _compiled(self.path, info, binding, self.case["options"], now.target)
            return module, kernel, binding.grid(self.source["grid"]), binding


class _inside:
    """The working directory is the campaign's folder while texts name files."""

    def __init__(self, folder: Any) -> None:
        self._folder = folder

    def __enter__(self) -> None:
        self._before = os.getcwd()
        os.chdir(self._folder)

    def __exit__(self, *_: object) -> None:
        os.chdir(self._before)


def _info(path: str, name: str) -> KernelInfo:
    from lockstep import _native
    from lockstep.errors import LaunchError

    try:
        facts = os.stat(path)
    except OSError as error:
        raise LaunchError(f"{path}: {error.strerror}") from None
    key = (path, facts.st_mtime_ns, facts.st_size)
    if key not in _infos:
        _infos[key] = {info.name: info for info in _native.list_kernels(path)}
    if name not in _infos[key]:
        raise LaunchError(f"{path} has no kernel '{name}'; it has {', '.join(_infos[key]) or 'none'}")
    return _infos[key][name]


def launch_options(binding: HostBinding, options: dict[str, Any]) -> tuple[int, int]:
    """num_warps, num_stages."""
    warps = options.get("num_warps", binding.num_warps or 4)
    return warps, options.get("num_stages", 3 if binding.num_stages is None else binding.num_stages)


def shown_constants(binding: HostBinding) -> dict[str, Any]:
    return {name: getattr(value, "name", value) for name, value in binding.constants.items()}


def _compiled(path: str, info: KernelInfo, binding: HostBinding, options: dict[str, Any],
              target: str) -> tuple[Module, Kernel]:  # fmt: skip
    from lockstep import _native

    warps, stages = launch_options(binding, options)
    constants = tuple((name, type(value), getattr(value, "name", value)) for name, value in binding.constants.items())
    facts = os.stat(path)
    key = (path, facts.st_mtime_ns, facts.st_size, info.name, tuple(binding.signature.items()), constants,
           tuple(binding.divisible), tuple(map(repr, binding.globals.items())), target, warps, stages)  # fmt: skip
    if key in _kernels:
        _kernels.move_to_end(key)
        return _kernels[key]
    module = _native.Module.from_python(
        path, info.name, signature=binding.signature, constants=binding.constants, divisible=binding.divisible,
        target=target, globals=binding.globals, num_warps=warps, num_stages=stages)  # fmt: skip
    _kernels[key] = module, module.kernel(constants=shown_constants(binding))
    if len(_kernels) > _MOST_KERNELS:
        _kernels.popitem(last=False)
    return _kernels[key]
