"""A kernel that Triton compiled and Lockstep runs: CompiledKernel whose module is the native engine's plan.

`adopt` turns a CompiledKernel for our target into a LockstepKernel. Invariants: its first launch loads it, once for
all threads; it launches only while Lockstep is active; facts of the GPU's compiler (shared memory, registers,
asm["ptx"]) are computed on request and cost a launch nothing."""

from __future__ import annotations

import os
import threading
from collections.abc import ItemsView, Iterator, KeysView, ValuesView
from typing import Any

from triton import knobs
from triton.compiler.compiler import AsmDict, ASTSource, CompiledKernel, LazyDict

from lockstep import errors, settings
from lockstep.triton_backend import autotune, diagnostics, profiles, resources, routing, staging, target, versions
from lockstep.triton_backend.compiler import BINARY_EXTENSION

_loading = threading.RLock()


def load(
    binary: bytes, name: str, *, profile: str | None = None, fp_fusion: bool = True, debug: bool = False,
    num_warps: int = 4, num_stages: int = 3, constants: dict[str, Any] | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """(native Module, native Kernel) of the last stage's bytes. Raises lockstep.CompileError.

    constants: parameters that the TTIR does not have any more, for a debugger.
    num_warps, num_stages: what the checkers take the program's threads and its loops' pipelines for. debug: a failing tl.device_assert is an error; else a warning, since Triton would have left it out."""
    from lockstep import _native

    settings.current()
    try:
        module = _native.Module.from_ttir(
            bytes(binary), name, target=profile or settings.current().target, fp_fusion=fp_fusion, debug=debug,
            num_warps=num_warps, num_stages=num_stages,
        )  # fmt: skip
        return module, module.kernel(name, constants or {})
    except _native.CompileError as error:
        from lockstep import report

        made = diagnostics.named(error, name)
        if made.file and made.line > 0:
            made = made.with_traceback(report.kernel_traceback(made.file, made.line, 1, name))
        raise made from None


def constants_of(src: Any) -> dict[str, Any]:
    """Values of the parameters that Triton turned into constants, by name, without those inside tuples."""
    if not isinstance(src, ASTSource):
        return {}
    names = src.fn.arg_names
    known = {names[path[0]]: value for path, value in src.constants.items() if len(path) == 1}
    return {name: getattr(value, "value", value) for name, value in known.items()}


def launcher_for(function: Any, src: Any) -> Any:
    """The native launcher of a loaded kernel with the arguments that `src` declares."""
    from lockstep import _native, report

    if isinstance(src, ASTSource):
        names, signature = list(src.signature.keys()), list(src.signature.values())
    else:
        names = [parameter.name for parameter in function.parameters]
        signature = [type_string(parameter.type) for parameter in function.parameters]
    return _native.Launcher(function, names, signature, report.handle)


def type_string(ty: str) -> str:
    """Triton's name of a TTIR type: "*fp32" of "!tt.ptr<f32>"."""
    names = {"f16": "fp16", "f32": "fp32", "f64": "fp64", "f8E5M2": "fp8e5", "f8E4M3FN": "fp8e4nv"}
    if ty.startswith("!tt.ptr<"):
        return "*" + type_string(ty[len("!tt.ptr<") : -1].split(",")[0].strip())
    if ty.startswith("!tt.tensordesc<tensor<"):
        *shape, element = ty[len("!tt.tensordesc<tensor<") : -2].split(",")[0].split("x")
        return f"tensordesc<{type_string(element)}[{', '.join(shape)}]>"
    return names.get(ty, ty)


class LazyAsm(AsmDict):
    """kernel.asm: TTIR and source at once; ttgir, llir, ptx, cubin and sass when asked for.

    It has the keys that a GPU's kernel has from the start: Triton's `sass` comes only by asking for it."""

    made_later = ("ttgir", "llir", "ptx", "cubin", "sass")

    def __init__(self, known: dict[str, Any], used: resources.Resources) -> None:
        super().__init__(known)
        self._used = used

    def __missing__(self, key: str) -> Any:
        if key not in self.made_later:
            raise KeyError(f"Unknown key: '{key}'")
        value = super().__missing__(key) if key == "sass" else self._used.nvidia.asm[key]
        self[key] = value
        return value

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in self or key in self.made_later else default

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or key in self.made_later[:-1]

    def __iter__(self) -> Iterator[str]:
        yield from [key for key in super().__iter__() if key not in self.made_later]
        yield from self.made_later[:-1]
        if super().__contains__("sass"):
            yield "sass"

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        return KeysView(self)

    def items(self) -> ItemsView[str, Any]:  # type: ignore[override]
        return ItemsView(self)

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        return ValuesView(self)


class _Run:
    """kernel.run: the launcher, loaded at first use; afterwards found in the instance without this descriptor."""

    def __get__(self, kernel: Any, owner: type | None = None) -> Any:
        if kernel is None:
            return self
        kernel._init_handles()
        return kernel.__dict__["run"]


class LockstepKernel(CompiledKernel):
    """CompiledKernel on the native engine. Programs use it as Triton's own class, which it extends."""

    run = _Run()  # type: ignore[assignment]
    n_max_threads = 1024
    __getattribute__ = object.__getattribute__  # Triton 3.4 has one that loads a GPU's binary when asked for `run`

    @property
    def n_regs(self) -> int:
        """Registers per thread, as ptxas allots them for the modelled GPU."""
        return self.resources.registers

    @property
    def n_spills(self) -> int:
        """Words of local memory per thread."""
        return self.resources.spills

    def _init_handles(self) -> None:
        if self.module is not None:
            return
        with _loading:
            if self.module is None:
                self._load()

    def _load(self) -> None:
        from lockstep import places

        before, after, _ = versions.load_hooks(knobs.runtime)
        _call(before, self)
        profile = f"sm_{profiles.capability_of(self.metadata.arch)}"
        given = self.metadata
        if autotune.is_trying():
            self.resources.check_room(self.kernel, self.n_max_threads)
        binary = places.current(self.kernel, self.src)
        if isinstance(self.src, ASTSource):
            binary = versions.with_names(binary, self.src.signature)
        if staging.wanted() == "ttgir":
            binary = staging.ttgir_of(binary, given)
        module, self.function = load(
            binary, self.name, profile=profile, fp_fusion=bool(given.enable_fp_fusion), debug=bool(given.debug),
            num_warps=given.num_warps, num_stages=given.num_stages, constants=constants_of(self.src),
        )  # fmt: skip
        self._run = self.__dict__["run"] = launcher_for(self.function, self.src)
        self.module, self._module_pid = module, os.getpid()
        _call(after, self)

    def launch_metadata(self, grid: Any, stream: int, *args: Any) -> LazyDict | None:
        """The arguments of launch hooks; None without hooks, which spares each launch a dictionary."""
        enter, leave = knobs.runtime.launch_enter_hook, knobs.runtime.launch_exit_hook
        if not getattr(enter, "calls", enter) and not getattr(leave, "calls", leave):
            return None
        return super().launch_metadata(grid, stream, *args)

    def __getitem__(self, grid: Any) -> Any:
        if not routing.is_our_driver(routing.active_driver()):
            raise errors.LaunchError(
                f"kernel {self.name} was compiled for Lockstep, which is not active here: use lockstep.active(), or "
                "launch the @triton.jit function itself"
            )
        grid = tuple(grid) + (1,) * (3 - len(grid))
        return super().__getitem__(grid)

    def __del__(self) -> None:
        if self.__dict__.get("module") is not None and self.__dict__.get("_module_pid") == os.getpid():
            _call(versions.load_hooks(knobs.runtime)[2], self)
            self.module = None


def _call(hook: Any, kernel: Any) -> None:
    if hook is not None:
        hook(kernel.module, kernel.function, kernel.name, kernel.metadata_group, kernel.hash)


def adopt(kernel: Any) -> None:
    """Turns a CompiledKernel for Lockstep's target into a LockstepKernel; leaves every other alone."""
    if type(kernel) is not CompiledKernel or not target.is_marked(kernel.metadata.target):
        return
    if kernel.kernel == b"None":  # an override folder with the last stage's file, which Triton cannot read back
        kernel.kernel = kernel.asm["ttir"].encode()
    used = resources.Resources(kernel.src, kernel.metadata, kernel.kernel)
    known = {name: text for name, text in kernel.asm.items() if name not in (BINARY_EXTENSION, "cubin")}
    known.setdefault("ttir", kernel.kernel.decode())
    kernel.__class__ = LockstepKernel
    kernel.resources = used
    kernel.asm = LazyAsm(known, used)
    kernel.packed_metadata = used.packed
    used.show_in(type(kernel.metadata))
