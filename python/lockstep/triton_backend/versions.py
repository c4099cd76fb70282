"""The versions of Triton that the plug-in serves, and everything in which they differ for it: one function for each difference.

A function asks Triton itself what it has, so a distributor's patched Triton is served by what it is; its first line says which
versions have what. Other modules of this package are written once and ask here. Versions that no test runs with are refused
(`refusal`), so that users get no unchecked numbers. Invariant: importing this imports nothing of Triton, because
Triton imports the plug-in while it is being imported itself. What differs in TTIR is in docs/ttir-versions.md; what the language
answers differently is in tests/python_package/h200_answers/by_version.py."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from typing import Any

SERVED = ("3.4", "3.5", "3.6", "3.7", "3.8", "3.9")  # tests/python_package/test_versions.py runs with every one of them
OVERRIDE = "LOCKSTEP_UNTESTED_TRITON"


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"(\d+)\.(\d+)", version)
    return tuple(map(int, found.groups())) if found else ()


def present() -> str:
    """The version of the imported Triton, "3.6.0"; "" without Triton."""
    return str(getattr(sys.modules.get("triton"), "__version__", ""))


def refusal(version: str | None = None) -> str | None:
    """Why Lockstep does not run on this Triton (the imported one if none is named), with the remedy; None: it does.

    An older one lacks what the plug-in builds on. A newer one is taken where LOCKSTEP_UNTESTED_TRITON=1 asks for it."""
    version = present() if version is None else version
    numbers = _numbers(version)
    if not numbers or _numbers(SERVED[0]) <= numbers <= _numbers(SERVED[-1]):
        return None
    is_newer = numbers > _numbers(SERVED[-1])
    if is_newer and os.environ.get(OVERRIDE) == "1":
        return None
    remedy = f"pip install 'triton>={SERVED[0]},<3.{_numbers(SERVED[-1])[1] + 1}'"
    text = f"Lockstep serves Triton {SERVED[0]} to {SERVED[-1]}, and this is Triton {version}: {remedy}"
    return text + (f", or set {OVERRIDE}=1 to try it all the same" if is_newer else "")


def require_served() -> None:
    """Raises lockstep.LaunchError for an unsupported Triton."""
    reason = refusal()
    if reason is not None:
        from lockstep import errors

        raise errors.LaunchError(reason)


def concrete(plug_in: type) -> type:
    """The class itself, without abstract methods. Triton refuses to be imported beside a plug-in that lacks a method of its
    interface, so one that a version after ours demands must not be missed before the version is refused."""
    if getattr(plug_in, "__abstractmethods__", None) and _numbers(present()) > _numbers(SERVED[-1]):
        plug_in.__abstractmethods__ = frozenset()  # type: ignore[attr-defined]
    return plug_in


# ---- the choice of the driver (triton.runtime.driver.driver) ----


def drivers(config: Any) -> tuple[Any, Any]:
    """(default, active) as Triton holds them. Up to 3.4: public attributes, proxies that ask at their first use. From 3.5: private ones."""
    if hasattr(config, "_default"):
        return config._default, config._active
    return config.default, config.active


def set_drivers(config: Any, default: Any, active: Any) -> None:
    """Restores both, or sets others."""
    if hasattr(config, "_default"):
        config._default, config._active = default, active
    else:
        config.default, config.active = default, active


def made(driver: Any) -> Any:
    """The driver itself; None where Triton has not made it yet. Up to 3.4 a proxy replaces it, and asking would make one."""
    return driver._obj if type(driver).__name__ == "LazyProxy" else driver


# ---- specialisation of arguments ----


def specialising(native: Callable[..., Any], shown: Callable[[Any], Any]) -> Callable[..., Any]:
    """Triton's specialize_impl with `shown` applied to every argument. From 3.6 the backend comes before the argument."""
    if getattr(getattr(native, "__code__", None), "co_varnames", ("backend",))[0] == "arg":
        return lambda argument, *rest: native(shown(argument), *rest)
    return lambda backend, argument, *rest: native(backend, shown(argument), *rest)


# ---- compiled kernels ----


def load_hooks(runtime: Any) -> tuple[Any, Any, Any]:
    """knobs.runtime's hooks before and after a kernel is loaded (from 3.5) and before it is unloaded (from 3.8); None: missing."""
    names = ("kernel_load_start_hook", "kernel_load_end_hook", "kernel_unload_hook")
    start, end, unload = (getattr(runtime, name, None) for name in names)
    return start, end, unload


def packed(metadata: Any) -> tuple[Any, ...]:
    """The values that Triton packs for its launchers; shared memory is unknown here. Up to 3.5 the three sizes of a cluster come last."""
    return (metadata.num_warps, metadata.num_ctas, 0, *getattr(metadata, "cluster_dims", ()))


def make_ir(source: Any, target: Any, *rest: Any) -> Any:
    """source.make_ir of an ASTSource or IRSource. From 3.5 the target comes first."""
    takes_target = source.make_ir.__code__.co_varnames[1] == "target"
    return source.make_ir(target, *rest) if takes_target else source.make_ir(*rest)


_UNNAMED = re.compile(rb'%arg(\d+): ([^%\n]*?)loc\(("[^"\n]*":\d+:\d+|#loc\d*)\)')


def with_names(ttir: bytes, signature: dict[str, Any]) -> bytes:
    """TTIR whose parameters have the names of the signature. To 3.4 a parameter is %arg0 and its place names no variable.

    A tuple or a descriptor becomes several parameters: where there is one, the text stays as it is."""
    names = [name for name, kind in signature.items() if kind != "constexpr"]
    if any(not isinstance(signature[name], str) or signature[name].startswith("tensordesc") for name in names):
        return ttir
    begin = ttir.find(b"tt.func public @")
    end = ttir.find(b"\n", begin)
    if begin < 0 or len(_UNNAMED.findall(ttir, begin, end)) != len(names):
        return ttir
    named = _UNNAMED.sub(lambda found: b'%%arg%s: %sloc("%s"(%s))' % (
        found[1], found[2], names[int(found[1])].encode(), found[3]), ttir[begin:end])  # fmt: skip
    return ttir[:begin] + named + ttir[end:]


def reads_default_backend() -> bool:
    """Whether Triton reads TRITON_DEFAULT_BACKEND. From 3.7."""
    module = sys.modules.get("triton.runtime.driver")
    chooser = getattr(getattr(module, "_create_driver", None), "__code__", None)
    return chooser is not None and "TRITON_DEFAULT_BACKEND" in chooser.co_consts
