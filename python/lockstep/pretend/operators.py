"""Operators that a package registers for CUDA alone (torch.library, custom_op): the CPU's tensors reach them too.

Only where the package gave the CPU nothing; torch's own operators stay torch's. What was registered before the pretence
is reached by a redispatch and forgotten at its end; what is registered meanwhile belongs to the package's library."""

from __future__ import annotations

from typing import Any

import torch
from torch.library import Library

from lockstep.pretend.patching import Patch

_raw_impl = Library.impl
_CUDA_KEYS = torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA)


def _lacks_cpu_kernel(name: str) -> bool:
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    keys = ("CPU", "CompositeExplicitAutograd", "CompositeImplicitAutograd")
    return torch._C._dispatch_has_kernel(name) and not any(has(name, key) for key in keys)


def _impl(self: Any, op_name: Any, fn: Any, dispatch_key: str = "", **options: Any) -> None:
    _raw_impl(self, op_name, fn, dispatch_key, **options)
    if (dispatch_key or self.dispatch_key) != "CUDA" or self.ns in ("aten", "_"):
        return
    name = self._resolve_op_name(op_name, "impl") if hasattr(self, "_resolve_op_name") else str(op_name)
    name = f"{self.ns}::{name.split('::')[-1]}"
    if _lacks_cpu_kernel(name):
        _raw_impl(self, op_name, fn, "CPU", **options)


def patches() -> list[Patch]:
    return [Patch(Library, "impl", _impl, "kernels that a package registers for CUDA run on the CPU's tensors")]


def _overload(space: str, name: str) -> Any:
    base, _, overload = name.partition(".")
    packet = getattr(getattr(torch.ops, space), base, None)
    return getattr(packet, overload or "default", None)


def _through_cuda(operator: Any) -> Any:
    def kernel(*args: Any, **kwargs: Any) -> Any:
        return operator.redispatch(_CUDA_KEYS, *args, **kwargs)

    return kernel


class EarlierOperators:
    """CPU kernels for operators that were registered for CUDA before the pretence began."""

    def __init__(self) -> None:
        self._libraries: dict[str, Library] = {}

    def supply(self) -> None:
        for entry in sorted(torch.library._impls):
            space, name, key = entry.split("/")
            if key != "CUDA" or space in ("aten", "_") or not _lacks_cpu_kernel(f"{space}::{name}"):
                continue
            operator = _overload(space, name)
            if operator is not None:
                library = self._libraries.setdefault(space, Library(space, "FRAGMENT"))
                _raw_impl(library, name, _through_cuda(operator), "CPU")

    def remove(self) -> None:
        for library in self._libraries.values():
            library._destroy()
        self._libraries.clear()
