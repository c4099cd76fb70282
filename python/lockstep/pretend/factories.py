"""Factory functions: device="cuda" makes CPU memory that counts as device memory; no device means the default's.

Each function of the torch namespace that takes a device is replaced by a wrapper around the original. The function mode
calls the same translation for originals that a program had bound to a name before (`from torch import empty`). With
fake tensors (torch.compile) nothing is translated: they can lie on a device that does not exist."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import torch
from torch.jit import _builtins

from lockstep.pretend import placement, uninitialised
from lockstep.pretend.generators import translate_generator
from lockstep.pretend.patching import Patch
from lockstep.pretend.placement import HOST

# name -> the source of the device without an argument: "default" or "input" (the first argument, a tensor).
_NAMES = {
    **dict.fromkeys(
        ("empty", "empty_permuted", "empty_strided", "ones", "zeros", "full", "arange", "range", "linspace",
         "logspace", "eye", "rand", "randn", "randint", "randperm", "bartlett_window", "blackman_window",
         "hamming_window", "hann_window", "kaiser_window", "tril_indices", "triu_indices", "scalar_tensor",
         "sparse_coo_tensor", "sparse_compressed_tensor", "sparse_csr_tensor", "sparse_csc_tensor",
         "sparse_bsr_tensor", "sparse_bsc_tensor", "empty_quantized", "_efficientzerotensor", "_empty_affine_quantized",
         "from_file", "normal"), "default"),
    **dict.fromkeys(
        ("empty_like", "ones_like", "zeros_like", "full_like", "rand_like", "randn_like", "randint_like"), "input"),
    **dict.fromkeys(("tensor", "as_tensor", "asarray"), "data"),
}  # fmt: skip


def _first_tensor(args: tuple, kwargs: dict) -> torch.Tensor | None:
    for value in (*args, *kwargs.values()):
        if isinstance(value, torch.Tensor):
            return value
    return None


def _wanted_device(rule: str, args: tuple, kwargs: dict) -> torch.device:
    """The device that the result will report."""
    given = kwargs.get("device")
    if given is not None:
        return placement.parse(given)
    if rule != "default" or kwargs.get("generator") is not None:
        source = _first_tensor(args, kwargs)
        if source is not None:
            return source.device
    return placement.default_device()


def _with_memory_of_its_own(result: torch.Tensor, on_host: bool, args: tuple, kwargs: dict) -> torch.Tensor:
    """as_tensor and asarray may share their argument's memory: right where it is on the requested side."""
    source = _first_tensor(args, kwargs)
    if source is not None:
        if result.untyped_storage()._cdata != source.untyped_storage()._cdata:
            return result
        return result if placement.is_host(source) == on_host else result.clone()
    data = args[0] if args else kwargs.get("data", kwargs.get("obj"))
    return result if on_host or isinstance(data, (list, tuple, int, float, complex)) else result.clone()


def make(raw: Callable[..., Any], rule: str, args: tuple, kwargs: dict) -> Any:
    """Calls the factory `raw` as the program means it. Raises what torch raises for a device that does not exist."""
    if kwargs.get("device") is HOST:
        return raw(*args, **kwargs)
    wanted = _wanted_device(rule, args, kwargs)
    if wanted.type not in ("cuda", "cpu") or placement.is_fake_mode():
        if wanted.type != "cpu" and rule == "default":
            kwargs["device"] = wanted
        return raw(*args, **kwargs)
    if "generator" in kwargs:
        kwargs["generator"] = translate_generator(kwargs["generator"])
    pinned = kwargs.pop("pin_memory", False) if "pin_memory" in kwargs else False
    if kwargs.get("out") is None:
        kwargs["device"] = HOST
    on_host = wanted.type == "cpu"
    try:
        result = placement.call(raw, *args, **kwargs) if args else raw(**kwargs)
    except RuntimeError as error:
        if on_host or "DefaultCPUAllocator" not in str(error):
            raise
        raise torch.OutOfMemoryError(f"CUDA out of memory: {error}") from None
    if rule == "data":
        result = _with_memory_of_its_own(result, on_host, args, kwargs)
    if raw in uninitialised.WATCHED:
        uninitialised.see(raw, args, result)
    if on_host or rule != "default":  # other fresh memory bears no mark
        placement.set_host(result, on_host)
    if pinned:
        setattr(result.untyped_storage(), placement.PINNED, True)
    return result


def _host_result(raw: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(raw)
    def from_host_memory(*args: Any, **kwargs: Any) -> Any:
        return placement.set_host(raw(*args, **kwargs), True)

    return from_host_memory


def _wrapper(raw: Callable[..., Any], rule: str) -> Callable[..., Any]:
    @functools.wraps(raw)
    def factory(*args: Any, **kwargs: Any) -> Any:
        return make(raw, rule, args, kwargs)

    return factory


def _normal(raw: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(raw)
    def normal(*args: Any, **kwargs: Any) -> Any:
        if _first_tensor(args, kwargs) is not None and "device" not in kwargs:
            if "generator" in kwargs:
                kwargs["generator"] = translate_generator(kwargs["generator"])
            return raw(*args, **kwargs)
        return make(raw, "default", args, kwargs)

    return normal


def _pack_padded_sequence(data: torch.Tensor, lengths: torch.Tensor, batch_first: bool) -> Any:
    packed, batch_sizes = torch._C._VariableFunctions._pack_padded_sequence(data, lengths, batch_first)
    return packed, placement.set_host(batch_sizes, True)


ORIGINALS: dict[Any, str] = {}  # original function -> rule, for the function mode
WRAPPED: dict[Any, Any] = {}  # wrapper -> original function, for torch.compile


def _namespaces() -> Iterator[tuple[Any, str, str]]:
    for name, rule in _NAMES.items():
        if hasattr(torch, name):
            yield torch, name, rule
    for name in ("fftfreq", "rfftfreq"):
        yield torch.fft, name, "default"


def patches() -> list[Patch]:
    """One row for each factory of torch."""
    rows = []
    WRAPPED.clear()
    for owner, name, rule in _namespaces():
        raw = getattr(owner, name)
        ORIGINALS[raw] = rule
        wrapped = _normal(raw) if name == "normal" else _wrapper(raw, rule)
        WRAPPED[wrapped] = raw
        rows.append(Patch(owner, name, wrapped, "device='cuda' makes CPU memory; without a device, the default applies"))
    find = _builtins._find_builtin

    def find_builtin(function: Any) -> Any:
        return find(function) or find(WRAPPED.get(function)) if isinstance(function, FunctionType) else find(function)

    rows.append(Patch(_builtins, "_find_builtin", find_builtin, "torch.jit.script knows the originals by identity"))
    rows.append(Patch(torch._VF, "_pack_padded_sequence", _pack_padded_sequence, "batch sizes are always on the host"))
    for name in ("from_numpy", "frombuffer"):
        rows.append(Patch(torch, name, _host_result(getattr(torch, name)), "memory of the program is host memory"))
    return rows
