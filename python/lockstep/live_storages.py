"""Every tensor that is alive, for kernels that follow addresses which they load or compute from integers.

Such a kernel (a grouped matrix product takes a tensor of `data_ptr()`s) may reach memory that is not an argument of its
launch. The engine asks this module for all that it may reach: (address, bytes, name) of each storage. Invariant: finding never
changes a tensor and never imports torch. NumPy arrays are not found, because the garbage collector does not track them:
pass them as arguments."""

from __future__ import annotations

import gc
import sys
from typing import Any


def find() -> list[tuple[int, int, str]]:
    """(address, bytes, name) of the storages of all live torch CPU tensors; overlapping ones once."""
    torch = sys.modules.get("torch")
    if torch is None:
        return []
    found: dict[int, tuple[int, int, str]] = {}
    with torch._C.DisableTorchFunction():
        for candidate in gc.get_objects():
            # type() and not isinstance(): proxies answer isinstance by running code of their own
            if issubclass(type(candidate), torch.Tensor):
                _add(torch, candidate, found)
    return list(found.values())


def _add(torch: Any, tensor: Any, found: dict[int, tuple[int, int, str]]) -> None:
    try:
        device = torch._C.TensorBase.device.__get__(tensor)  # the truth also where pretend_cuda() answers "cuda"
        if device.type != "cpu" or tensor.layout is not torch.strided:
            return
        storage = tensor.untyped_storage()
        address, size = storage.data_ptr(), storage.nbytes()
    except (
        RuntimeError,
        NotImplementedError,
        TypeError,
        AttributeError,
    ):  # fake, meta and functional tensors: no memory
        return
    if address != 0 and size > found.get(address, (0, 0, ""))[1]:
        shape = "x".join(str(extent) for extent in tensor.shape) or "scalar"
        found[address] = (address, size, f"a tensor of {shape} {tensor.dtype}")
