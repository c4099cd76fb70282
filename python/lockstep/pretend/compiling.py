"""torch.compile under the pretence: traced tensors lie on cuda:0, so that Inductor writes Triton kernels.

Fake tensors may lie on a device that torch cannot use; only what the CPU build of torch lacks around them is supplied.
Inductor compiles in this process: its worker processes and its CUDA launchers written in C++ are for real GPUs.
Invariant: with a real GPU's guard in torch nothing of torch's C++ state is touched."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

import torch

from lockstep.pretend.patching import Patch

_CPU, _CUDA, _DEVICE_TYPES = 0, 1, 2
_REGISTRY = "_ZN3c104impl26device_guard_impl_registryE"


def _guard_registry() -> Any:
    """torch's table of device guards by device type, or None where the library does not show it."""
    folder = os.path.join(os.path.dirname(torch.__file__), "lib")
    for name in ("libc10.so", "libc10.dylib"):
        try:
            return (ctypes.c_void_p * _DEVICE_TYPES).in_dll(ctypes.CDLL(os.path.join(folder, name)), _REGISTRY)
        except (OSError, ValueError):
            continue
    return None


class DeviceGuard:
    """The guard that torch's C++ code takes around operations on (fake) CUDA tensors: the CPU's, which does nothing.

    Indexing and autograd ask for it even for tensors without memory; the CPU build has none."""

    def __init__(self) -> None:
        self._registry = _guard_registry()
        self._supplied = False

    def supply(self) -> None:
        if self._registry is not None and not self._registry[_CUDA] and self._registry[_CPU]:
            self._registry[_CUDA] = self._registry[_CPU]
            self._supplied = True

    def remove(self) -> None:
        if self._supplied:
            self._registry[_CUDA] = None
            self._supplied = False


def _empty_strided_cuda(size: Any, stride: Any, dtype: torch.dtype) -> torch.Tensor:
    return torch._C._dynamo.guards._empty_strided_cpu(size, stride, dtype)


def patches() -> list[Patch]:
    """Rows for fake tensors and for the code that Inductor writes."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    graphs = "Inductor's CUDA graph trees are imported by Dynamo where CUDA is available; they are never used"
    return [
        Patch(FakeTensorMode, "avoid_device_init", True, "fake tensors must not make real ones on a GPU"),
        Patch(torch._C._dynamo.guards, "_empty_strided_cuda", _empty_strided_cuda, "allocator of Inductor's code"),
        Patch(torch._C, "_cuda_CUDAAllocator_AllocatorState", type("AllocatorState", (), {}), graphs),
        Patch(torch._C, "_set_cached_tensors_enabled", lambda enabled: None, graphs),
    ]


def _interface_rows(module: Any) -> list[Patch]:
    """torch._dynamo.device_interface copies torch.cuda's functions when it is imported."""
    why = "copied from torch.cuda when Dynamo was imported, perhaps before the pretence"
    stream = torch._C._cuda_getCurrentRawStream
    interface = module.CudaInterface
    rows = [Patch(module, "get_cuda_stream", stream, why), Patch(module, "_device_initialized", False, why),
            Patch(module, "caching_worker_device_properties", {}, why),
            Patch(interface, "get_raw_stream", staticmethod(stream), why)]  # fmt: skip
    for name in ("device", "Event", "Stream"):
        rows.append(Patch(interface, name, getattr(torch.cuda, name), why))
    for name, source in (("device_count", "device_count"), ("exchange_device", "_exchange_device"),
                         ("maybe_exchange_device", "_maybe_exchange_device")):  # fmt: skip
        rows.append(Patch(interface, name, staticmethod(getattr(torch.cuda, source)), why))
    return rows


def _without_graph(model: Any, *args: Any, **kwargs: Any) -> Any:
    return model


def _compile_rows(module: Any) -> list[Patch]:
    return [Patch(module, "cudagraphify", _without_graph, "mode='reduce-overhead': the code runs without a CUDA graph")]


_CACHES = ("has_triton", "_device_supports_tma", "has_triton_experimental_host_tma",
           "has_triton_tensor_descriptor_host_tma", "has_triton_tma", "has_triton_tma_device",
           "has_datacenter_blackwell_tma_device", "has_triton_stable_tma_api", "triton_backend",
           "triton_hash_with_backend")  # fmt: skip


def forget_answers() -> None:
    """torch keeps what it once found out about the GPU; a pretence begins and ends without such memories."""
    known = sys.modules.get("torch.utils._triton")
    for name in _CACHES:
        cached = getattr(known, name, None)
        if hasattr(cached, "cache_clear"):
            cached.cache_clear()
    hints = sys.modules.get("torch._inductor.runtime.hints")
    if hints is not None and hasattr(hints.DeviceProperties.create, "cache_clear"):
        hints.DeviceProperties.create.cache_clear()


def configuration(module: Any) -> Any:
    """A context manager of torch._inductor.config: everything in this process, launched by Triton's own launcher."""
    return module.patch({"compile_threads": 1, "use_static_cuda_launcher": False})


# Modules of the compiler that are patched when the program has imported them, or imports them.
LATE = {
    "torch._dynamo.device_interface": _interface_rows,
    "torch._inductor.compile_fx": _compile_rows,
}
