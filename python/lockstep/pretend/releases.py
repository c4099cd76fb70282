"""Everything in which releases of torch differ for the pretence: one function for each difference.

A function asks torch itself what it has; its first line says which releases have what. The other modules of this package
are written once and ask here. That a build for CUDA has functions which a build for CPUs lacks is not a difference between
releases: the tables of patches replace them where they are and supply them where they are not. Releases that were tried
are in docs/versions.md; tests/python_package/torch_versions.sh tries them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


def plain_function(method: Any) -> Callable[..., Any]:
    """A class method as a function whose first argument is the class. From 2.15 Function.apply is written in C."""
    function = getattr(method, "__func__", None)
    if function is not None:
        return function

    def called(cls: type, *args: Any, **kwargs: Any) -> Any:
        return method.__get__(None, cls)(*args, **kwargs)

    return called


def dlpack_capsule(tensor: torch.Tensor, max_version: Any, device: Any, copy: bool | None) -> Any:
    """The tensor's DLPack capsule. From 2.9 versioned ones, and torch itself copies and checks the device."""
    if hasattr(torch._C, "_to_dlpack_versioned"):
        versioned = max_version is not None and max_version[0] >= 1
        export = torch._C._to_dlpack_versioned if versioned else torch._C._to_dlpack
        return export(tensor, dl_device=device, copy=copy)
    if device is not None and (int(device[0]), device[1]) != (int(torch.utils.dlpack.DLDeviceType.kDLCPU), 0):
        raise BufferError(f"cannot export a tensor of the CPU's memory to the DLPack device {tuple(map(int, device))}")
    return torch._C._to_dlpack(tensor.clone() if copy else tensor)
