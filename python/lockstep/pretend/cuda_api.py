"""torch.cuda of the pretended GPU: the functions below torch.cuda, which the CPU build of torch lacks.

torch.cuda's own Python code then works unchanged, also where a program bound its functions to names before. Facts about
the GPU come from the backend's profile of the modelled target. Memory statistics count the tensors that Python can see
(a peak is the largest count that was asked for); what needs real CUDA (cudnn, nccl, IPC, nvrtc) raises by name."""

from __future__ import annotations

import gc
import os
from types import SimpleNamespace
from typing import Any

import torch

from lockstep.pretend import graphs, streams
from lockstep.pretend.generators import DefaultCudaGenerator
from lockstep.pretend.kept_memory import THE_MEMORY
from lockstep.pretend.patching import Patch

CUDA_VERSION = "12.8"  # pretended where torch was built without CUDA; elsewhere torch says its own


class DeviceProperties(SimpleNamespace):
    """What torch.cuda.get_device_properties returns."""

    def __repr__(self) -> str:
        return (f"_CudaDeviceProperties(name='{self.name}', major={self.major}, minor={self.minor}, "
                f"total_memory={self.total_memory // 2**20}MB, multi_processor_count={self.multi_processor_count}, "
                f"uuid={self.uuid}, L2_cache_size={self.L2_cache_size // 2**20}MB)")  # fmt: skip


def target_name() -> str:
    """The modelled GPU, from options() or LOCKSTEP_AS."""
    from lockstep import settings

    return settings.current().target


_properties: dict[str, DeviceProperties] = {}


def properties(index: int = 0) -> DeviceProperties:
    """Facts of the modelled GPU in torch's words."""
    target = target_name()
    if target not in _properties:
        _properties[target] = _make_properties(target)
    return _properties[target]


def _make_properties(target: str) -> DeviceProperties:
    from lockstep.triton_backend.profiles import facts_of

    facts = facts_of(target)
    major, minor = facts.version
    return DeviceProperties(
        name=facts.name, major=major, minor=minor, total_memory=facts.memory, warp_size=facts.warp_size,
        multi_processor_count=facts.multiprocessors, is_integrated=0, is_multi_gpu_board=0,
        max_threads_per_multi_processor=facts.threads_per_multiprocessor, max_threads_per_block=1024,
        regs_per_multiprocessor=facts.registers, L2_cache_size=facts.l2_cache, clock_rate=facts.core_clock,
        memory_clock_rate=facts.memory_clock, memory_bus_width=facts.memory_bus_bits,
        shared_memory_per_block=49152, shared_memory_per_block_optin=facts.shared_memory_per_block,
        shared_memory_per_multiprocessor=facts.shared_memory_per_multiprocessor, gcnArchName="",
        uuid="10c45e90-0000-0000-0000-000000000000", pci_bus_id=0, pci_device_id=0, pci_domain_id=0)  # fmt: skip


def _allocated() -> int:
    """Bytes of the device storages that Python objects hold."""
    seen: dict[int, int] = {}
    for thing in gc.get_objects():
        try:
            if issubclass(type(thing), torch.Tensor) and thing.device.type == "cuda":
                storage = thing.untyped_storage()
                seen[storage.data_ptr()] = storage.nbytes()
        except (RuntimeError, NotImplementedError, ReferenceError):
            continue
    global _peak
    total = sum(seen.values())
    _peak = max(_peak, total)
    return total


_peak = 0


def _reset_peak(*unused: Any) -> None:
    global _peak
    _peak = 0
    _allocated()


def _memory_stats(device: int = 0) -> dict[str, Any]:
    now = _allocated()
    counter = {"current": now, "peak": _peak, "allocated": now, "freed": 0}
    pools = {"all": dict(counter), "large_pool": dict(counter), "small_pool": dict.fromkeys(counter, 0)}
    names = ("allocated_bytes", "reserved_bytes", "active_bytes", "requested_bytes", "inactive_split_bytes",
             "allocation", "segment", "active", "inactive_split")  # fmt: skip
    nothing = {key: dict.fromkeys(counter, 0) for key in pools}
    stats: dict[str, Any] = {name: pools if name.endswith("bytes") and "inactive" not in name else nothing
                             for name in names}  # fmt: skip
    for name in ("oversize_allocations", "oversize_segments"):
        stats[name] = dict.fromkeys(counter, 0)
    for name in ("num_alloc_retries", "num_ooms", "num_sync_all_streams", "num_device_alloc", "num_device_free",
                 "max_split_size"):  # fmt: skip
        stats[name] = 0
    return stats


def _host_memory_stats() -> dict[str, Any]:
    """The caching allocator of pinned memory: there is none, so it holds nothing."""
    counts = ("allocations", "active_requests", "allocated_bytes", "active_bytes")
    counters = {name: dict.fromkeys(("current", "peak", "allocated", "freed"), 0) for name in counts}
    times = {name: dict.fromkeys(("total", "max", "min", "count", "avg"), 0) for name in ("host_alloc_time", "host_free_time")}
    return {"num_host_alloc": 0, "num_host_free": 0, **counters, **times}


def _free_memory() -> int:
    pages = os.sysconf("SC_AVPHYS_PAGES") if "SC_AVPHYS_PAGES" in os.sysconf_names else 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """(free, total): free is the machine's free memory where that is less than the modelled GPU's."""
    total = properties().total_memory
    return min(_free_memory() or total, total), total


def _check_index(index: int) -> int:
    if index > 0:
        raise RuntimeError(f"CUDA error: invalid device ordinal: {index} (Lockstep pretends to be one GPU, cuda:0)")
    return index


def _refuse(name: str) -> Any:
    def refused(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"{name} needs a real GPU; it is not supported under lockstep.pretend_cuda()")

    return refused


def _nothing(*args: Any, **kwargs: Any) -> None:
    """An operation without effect, because all work is done when its call returns."""


def _compute_capability_args(index: int) -> tuple[int, int]:
    return properties().major, properties().minor


class _Cudart:
    """The functions of the CUDA runtime that users of torch.cuda.cudart() call; the others raise by name."""

    class cudaError:
        success = 0

    cudaProfilerStart = cudaProfilerStop = staticmethod(lambda: 0)
    cudaMemGetInfo = staticmethod(mem_get_info)
    cudaGetErrorString = staticmethod(lambda code: "no error" if code == 0 else f"error {code}")
    cudaHostRegister = cudaHostUnregister = staticmethod(lambda *args: 0)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _refuse(f"torch.cuda.cudart().{name}")


class _Nvtx:
    """NVTX ranges are accepted and counted, and have no other effect."""

    def __init__(self) -> None:
        self._depth = 0

    def rangePushA(self, message: str) -> int:
        self._depth += 1
        return self._depth - 1

    def rangePop(self) -> int:
        self._depth -= 1
        return self._depth

    def rangeStartA(self, message: str) -> int:
        return 1

    rangeEnd = markA = deviceRangeStart = deviceRangeEnd = staticmethod(_nothing)


_C_FUNCTIONS: dict[str, Any] = {
    "_cuda_init": _nothing,
    "_cuda_getDeviceCount": lambda: 1,
    "_cuda_getDevice": lambda: 0,
    "_cuda_setDevice": _check_index,
    "_cuda_exchangeDevice": lambda index: 0 if _check_index(index) >= 0 else -1,
    "_cuda_maybeExchangeDevice": lambda index: 0 if _check_index(index) >= 0 else -1,
    "_cuda_synchronize": _nothing,
    "_cuda_getCurrentStream": lambda device=0: (streams.current_id(), 0, 1),
    "_cuda_getDefaultStream": lambda device=0: (0, 0, 1),
    "_cuda_getCurrentRawStream": lambda device=0: streams.current_id(),
    "_cuda_getStreamFromExternal": lambda pointer, device=0: (pointer, 0, 1),
    "_cuda_setStream": lambda stream_id=0, device_index=0, device_type=1: streams.set_current(stream_id),
    "_cuda_isCurrentStreamCapturing": graphs.is_capturing,
    "_cuda_isInBadFork": lambda: False,
    "_cuda_isHistoryEnabled": lambda: False,
    "_cuda_hasPrimaryContext": lambda index=0: True,
    "_cuda_emptyCache": THE_MEMORY.give_back,
    "_host_emptyCache": _nothing,
    "_cuda_memoryStats": _memory_stats,
    "_cuda_resetAccumulatedMemoryStats": _nothing,
    "_cuda_resetPeakMemoryStats": _reset_peak,
    "_cuda_hostMemoryStats": _host_memory_stats,
    "_cuda_resetAccumulatedHostMemoryStats": _nothing,
    "_cuda_resetPeakHostMemoryStats": _nothing,
    "_cuda_setMemoryFraction": _nothing,
    "_cuda_getMemoryFraction": lambda device=0: 1.0,
    "_cuda_memorySnapshot": _refuse("torch.cuda.memory_snapshot"),
    "_cuda_cudaCachingAllocator_is_enabled": lambda: True,
    "_cuda_cudaCachingAllocator_enable": _nothing,
    "_cuda_getAllocatorBackend": lambda: "native",
    "_cuda_getArchFlags": lambda: f"sm_{properties().major}{properties().minor}",
    "_cuda_canDeviceAccessPeer": lambda device, peer: False,
    "_cuda_sleep": _nothing,
    "_cuda_ipc_collect": _nothing,
    "_cuda_clearCublasWorkspaces": _nothing,
    "_cuda_get_sync_debug_mode": lambda: 0,
    "_cuda_set_sync_debug_mode": _nothing,
    "_cuda_getCurrentBlasHandle": _refuse("torch.cuda.current_blas_handle"),
    "_cuda_getCurrentSolverHandle": _refuse("torch.cuda.current_solver_handle"),
    "_cuda_jiterator_compile_and_launch_kernel": _refuse("torch.cuda.jiterator"),
    "_cuda_cudaCachingAllocator_raw_alloc": _refuse("torch.cuda.caching_allocator_alloc"),
    "_cuda_cudaCachingAllocator_raw_delete": _refuse("torch.cuda.caching_allocator_delete"),
    "_has_cuda": True,
    "_has_cudnn": False,  # a build for CUDA has both, for memory of a GPU alone
    "_has_cusparselt": False,
}


def _compiled_version() -> int:
    """CUDA's number for the version torch.version.cuda: 12080 for 12.8."""
    major, minor = (int(part) for part in str(torch.version.cuda).split(".")[:2])
    return 1000 * major + 10 * minor


def _one_device(devices: Any) -> None:
    if any(_check_index(index) for index in devices):
        raise RuntimeError("there is one GPU, cuda:0, under lockstep.pretend_cuda()")


def _scatter(tensor: torch.Tensor, devices: Any, *unused: Any) -> tuple[torch.Tensor, ...]:
    _one_device(devices)
    return (tensor.cuda(),)


def _broadcast_coalesced(tensors: Any, devices: Any, buffer_size: int = 0) -> list[list[torch.Tensor]]:
    _one_device(devices)
    return [list(tensors)]


_COLLECTIVES = {
    "_scatter": _scatter,
    "_gather": lambda tensors, dim, destination=None: torch.cat([tensor.cuda() for tensor in tensors], dim),
    "_broadcast": _scatter,
    "_broadcast_coalesced": _broadcast_coalesced,
}


class _ProfileOfTheCpu:
    """torch.autograd.profiler.profile.__init__ without CUDA's events, which do not exist here."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw

    def __get__(self, profile: Any, owner: type | None = None) -> Any:
        def init(*args: Any, use_cuda: bool = False, use_device: Any = None, **kwargs: Any) -> None:
            self._raw(profile, *args, use_device=None if use_device == "cuda" else use_device, **kwargs)

        return init


def _profiler_rows() -> list[Patch]:
    profiler = torch.autograd.profiler
    why = "the profiler sees the CPU's work; there are no CUDA events and no NVTX"
    return [Patch(profiler.profile, "__init__", _ProfileOfTheCpu(profiler.profile.__init__), why),
            Patch(profiler.emit_nvtx, "__enter__", lambda self: self, why),
            Patch(profiler.emit_nvtx, "__exit__", lambda self, *exception: False, why)]  # fmt: skip


def _accelerator() -> dict[str, Any]:
    return {
        "_accelerator_getAccelerator": lambda: torch.device("cuda"),
        "_accelerator_getDeviceIndex": lambda: 0,
        "_accelerator_setDeviceIndex": _check_index,
        "_accelerator_exchangeDevice": lambda index: 0,
        "_accelerator_maybeExchangeDevice": lambda index: 0,
        "_accelerator_getStream": lambda index=0: torch.cuda.current_stream(),
        "_accelerator_setStream": lambda stream: streams.set_current(stream.stream_id),
        "_accelerator_synchronizeDevice": _nothing,
        "_accelerator_isAllocatorInitialized": lambda: True,
        "_accelerator_getDefaultGenerator": lambda index=0: torch.cuda.default_generators[_check_index(index)],
        "_accelerator_getDeviceCapability": _refuse("torch.accelerator.get_device_capability"),
        "_accelerator_emptyCache": _nothing,
        "_accelerator_emptyHostCache": _nothing,
        "_accelerator_getDeviceStats": _memory_stats,
        "_accelerator_resetPeakStats": _reset_peak,
        "_accelerator_resetAccumulatedStats": _nothing,
        "_accelerator_getMemoryInfo": mem_get_info,
    }


def _torch_cuda_rows() -> dict[str, Any]:
    return {
        "_initialized": True,
        "_cached_device_count": 1,
        "_is_in_bad_fork": lambda: False,
        "_exchange_device": _C_FUNCTIONS["_cuda_exchangeDevice"],
        "_maybe_exchange_device": _C_FUNCTIONS["_cuda_maybeExchangeDevice"],
        "_get_device_properties": properties,
        "_cudart": _Cudart(),
        "default_generators": (DefaultCudaGenerator(),),
        "mem_get_info": mem_get_info,
        "device_count": lambda: 1,
        "has_magma": False,
        "temperature": _refuse("torch.cuda.temperature"),
        "power_draw": _refuse("torch.cuda.power_draw"),
        "clock_rate": lambda device=None: properties().clock_rate // 1000,  # megahertz
        "device_memory_used": lambda device=None: properties().total_memory - mem_get_info()[0],
        "utilization": lambda device=None: 0,
        "memory_usage": lambda device=None: 0,
        "list_gpu_processes": lambda device=None: "GPU:0\nno processes are running (Lockstep pretends to be a GPU)",
    }


def _class_rows() -> list[Patch]:
    why = "objects of the CUDA build's C classes, which the CPU build lacks"
    classes = {"Stream": streams.Stream, "ExternalStream": streams.ExternalStream, "Event": streams.Event}
    rows = [Patch(owner, name, value, why) for name, value in classes.items()
            for owner in (torch.cuda, torch.cuda.streams)]  # fmt: skip
    rows += [Patch(owner, "CUDAGraph", graphs.CUDAGraph, why) for owner in (torch.cuda, torch.cuda.graphs)]
    rows.append(Patch(torch.cuda.graphs, "_graph_pool_handle", graphs.pool_handle, why))
    rows.append(Patch(torch.cuda.graphs, "_cuda_isCurrentStreamCapturing", graphs.is_capturing, why))
    rows.append(Patch(torch.cuda.graph, "default_capture_stream", None, why))
    return rows


def patches() -> list[Patch]:
    """Rows for torch._C, torch.cuda and torch.accelerator."""
    below = "torch.cuda's Python code calls it; the CPU build of torch has none"
    functions = {**_C_FUNCTIONS, **_COLLECTIVES, **_accelerator()}
    rows = [Patch(torch._C, name, value, below) for name, value in functions.items()]
    rows += [Patch(torch.cuda, name, value, "state of torch.cuda that its C code would have set")
             for name, value in _torch_cuda_rows().items()]  # fmt: skip
    rows.append(Patch(torch.cuda.memory, "mem_get_info", mem_get_info, "asks the CUDA runtime"))
    rows.append(Patch(torch.cuda.nvtx, "_nvtx", _Nvtx(), "profiler ranges are accepted"))
    if torch.version.cuda is None:
        rows.append(Patch(torch.version, "cuda", CUDA_VERSION, "packages ask it for the build's CUDA version"))
    if not hasattr(torch._C, "_cuda_getCompiledVersion"):
        rows.append(Patch(torch._C, "_cuda_getCompiledVersion", _compiled_version, below))
    return rows + _class_rows() + _profiler_rows()
