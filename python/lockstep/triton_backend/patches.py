"""Everything that Lockstep changes in Triton's own classes, in one table, with the reason for each.

The table holds while Lockstep's driver is active and is undone when the last user of `install` has called `uninstall`.
Invariant: with Lockstep not active, each replacement calls the original with the same arguments. Tried with every
version of Triton that versions.py names (tests/python_package/test_versions.py)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from lockstep.triton_backend import presence


@dataclass(frozen=True)
class Patch:
    """One attribute of Triton that is replaced. `make` gets the original and returns the replacement."""

    reason: str
    owners: Callable[[], Iterable[Any]]  # classes or modules
    attribute: str
    make: Callable[[Any], Any]


def _other_compilers() -> list[type]:
    return [backend.compiler for backend in presence.other_backends()]


def _autotuner() -> list[type]:
    from triton.runtime.autotuner import Autotuner

    return [Autotuner]


def _compiled_kernel() -> list[type]:
    from triton.compiler.compiler import CompiledKernel

    return [CompiledKernel]


def _refusing_ours(original: Any) -> Any:
    from lockstep.triton_backend import routing

    return staticmethod(lambda target: not routing.takes(target) and original(target))


def _adopting(original: Any) -> Any:
    def __init__(self: Any, src: Any, metadata_group: Any, hash: Any) -> None:
        from lockstep.triton_backend import kernel

        original(self, src, metadata_group, hash)
        kernel.adopt(self)

    return __init__


def _jit_module() -> list[Any]:
    import triton.runtime.jit

    return [triton.runtime.jit]


def _binding_arrays(original: Any) -> Any:
    from lockstep.triton_backend import arguments
    from lockstep.triton_backend.compiler import LockstepBackend

    def create_function_from_signature(sig: Any, kparams: Any, backend: Any) -> Any:
        binder = original(sig, kparams, backend)
        return arguments.binder_with_arrays(binder) if isinstance(backend, LockstepBackend) else binder

    return create_function_from_signature


def _jit_function() -> list[type]:
    from triton.runtime.jit import JITFunction

    return [JITFunction]


def _with_caches_by_number(original: Any) -> Any:
    from lockstep.triton_backend import caches

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        original(self, *args, **kwargs)
        caches.adopt(self)

    return __init__


def _code_generator() -> list[type]:
    from triton.compiler.code_generator import CodeGenerator

    return [CodeGenerator]


def _with_breakpoint(original: Any) -> Any:
    from lockstep.triton_backend import breakpoints

    return {**original, "breakpoint": breakpoints.mark}


def _bench(original: Any) -> Any:
    from lockstep.triton_backend import autotune

    return autotune.bench_replacement(original)


def _cache(original: Any) -> Any:
    from lockstep.triton_backend import autotune

    return autotune.cache_property()


def _disk_cache(original: Any) -> Any:
    from lockstep.triton_backend import autotune

    return autotune.disk_cache_replacement(original)


def _with_configuration(original: Any) -> Any:
    from lockstep.triton_backend import autotune

    return autotune.run_replacement(original)


def _for_subclasses(original: Any) -> Any:
    """Tuners of packages run their own way; new ones are wrapped when they are made."""
    from lockstep.triton_backend import autotune

    def __init_subclass__(cls: type, **kwargs: Any) -> None:
        original(**kwargs)
        if "run" in vars(cls):
            cls.run = autotune.run_replacement(vars(cls)["run"])  # type: ignore[attr-defined]

    return classmethod(__init_subclass__)


def _autotuners_that_run() -> list[type]:
    """Triton's tuner, and those of packages that exist already."""
    return [kind for kind in _with_subclasses(_autotuner()[0]) if "run" in vars(kind)]


def _with_subclasses(kind: type) -> list[type]:
    return [kind, *(one for child in kind.__subclasses__() for one in _with_subclasses(child))]


TABLE = (
    Patch("both Triton's NVIDIA compiler and ours answer to the name cuda; Triton wants exactly one",
          _other_compilers, "supports_target", _refusing_ours),
    Patch("Triton's default driver, if first requested now, must be ours: torch may pretend to have a GPU",
          presence.other_drivers, "is_active", lambda original: staticmethod(lambda: False)),
    Patch("NumPy arrays and DLPack objects are arguments here; Triton specialises tensors only",
          _jit_module, "create_function_from_signature", _binding_arrays),
    Patch("the GPU's compiler finds registers and shared memory only when a program asks a kernel for them",
          _compiled_kernel, "__init__", _adopting),
    Patch("programs look up a function's kernels by the device's number, 0; ours are under a key for each profile",
          _jit_function, "__init__", _with_caches_by_number),
    Patch("breakpoint() in a kernel is a place to stop; Triton does not know the name",
          _code_generator, "builtin_namespace", _with_breakpoint),
    Patch("the tuner takes the first configuration that compiles: timing shows nothing about a GPU here; or it does as asked",
          _autotuner, "_bench", _bench),
    Patch("a choice made on one side (GPU, or another profile) must not affect the other",
          _autotuner, "cache", _cache),
    Patch("a choice on disk would keep configurations from running that the option autotune asks for",
          _autotuner, "check_disk_cache", _disk_cache),
    Patch("the option config names the configuration of a launch", _autotuners_that_run, "run", _with_configuration),
    Patch("the same for tuners that packages derive from Triton's", _autotuner, "__init_subclass__", _for_subclasses),
)  # fmt: skip

_ABSENT = object()
_lock = threading.RLock()
_users = 0
_undo: list[tuple[Any, str, Any]] = []


def install() -> None:
    """Applies the table, or counts one more user of it."""
    global _users
    with _lock:
        _users += 1
        if _users > 1:
            return
        for patch in TABLE:
            for owner in patch.owners():
                own = vars(owner).get(patch.attribute, _ABSENT)
                replacement = patch.make(getattr(owner, patch.attribute, None))
                _undo.append((owner, patch.attribute, own))
                setattr(owner, patch.attribute, replacement)


def uninstall() -> None:
    """Ends one use; the last one puts back what was there."""
    global _users
    with _lock:
        _users -= 1
        if _users > 0:
            return
        while _undo:
            owner, attribute, own = _undo.pop()
            if own is _ABSENT:
                delattr(owner, attribute)
            else:
                setattr(owner, attribute, own)


def is_installed() -> bool:
    return _users > 0
