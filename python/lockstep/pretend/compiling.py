"""torch.compile under the pretence: traced tensors lie on cuda:0, so that Inductor writes Triton kernels.

Fake tensors may lie on a device that torch cannot use; only what the CPU build of torch lacks around them is supplied.
Inductor compiles in this process: its worker processes and its CUDA launchers written in C++ are for real GPUs.
Invariant: a trace with a tensor on cuda:0 has all its tensors there; the memory is the CPU's in any case."""

from __future__ import annotations

import functools
import sys
import time
import warnings
import weakref
from typing import Any

import torch
from torch._subclasses.fake_impls import _is_tensor_constructor
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.fx.experimental.proxy_tensor import ProxyTorchDispatchMode

from lockstep.pretend import factories, histograms, matmul, tensors
from lockstep.pretend.patching import Patch
from lockstep.pretend.placement import CUDA, HOST, WHERE_IT_IS

_cuda_traces: weakref.WeakSet[Any] = weakref.WeakSet()  # fake tensor modes with a tensor on cuda:0


def _fake_new(cls: type, fake_mode: Any, elem: Any, device: torch.device, *args: Any, **kwargs: Any) -> Any:
    if device.type == "cuda":
        _cuda_traces.add(fake_mode)
    return _raw_fake_new(cls, fake_mode, elem, device, *args, **kwargs)


def _seen_from_cpp(fake: FakeTensor) -> torch.device:
    """C++ code that asks a fake tensor for its device (indexing, the autograd engine) would look for CUDA's streams and
    guards, which this build has not. Python code asks FakeTensor.device and hears cuda:0."""
    if fake.fake_mode.in_kernel_invocation:
        return torch.device("meta")
    return WHERE_IT_IS if fake.fake_device.type == "cuda" else fake.fake_device


def _fake_dispatch(cls: type, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    if func is torch.ops.prim.device.default:
        return _seen_from_cpp(args[0])
    return _raw_fake_dispatch.__func__(cls, func, types, args, kwargs or {})


def _on_cuda(func: Any, kwargs: Any) -> Any:
    """A tensor that C++ code makes, or converts, "where this one is" belongs on cuda:0, like everything in the trace."""
    device = kwargs.get("device") if kwargs else None
    if device is None or device.type != "cpu" or not (device == WHERE_IT_IS or _is_tensor_constructor(func)):
        return kwargs
    return {**kwargs, "device": CUDA}


def _fake_mode_dispatch(self: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    if func is torch.ops.prim.device.default and isinstance(args[0], FakeTensor):
        return _seen_from_cpp(args[0])
    if self in _cuda_traces:
        kwargs = _on_cuda(func, kwargs)
    return _raw_fake_mode_dispatch(self, func, types, args, kwargs or {})


def _proxy_dispatch(self: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    mode = torch._C._get_dispatch_mode(torch._C._TorchDispatchModeKey.FAKE)
    if mode is not None and mode in _cuda_traces:
        kwargs = _on_cuda(func, kwargs)
    return _raw_proxy_dispatch(self, func, types, args, kwargs or {})


_raw_fake_new = FakeTensor.__new__
_raw_fake_dispatch = vars(FakeTensor)["__torch_dispatch__"]
_raw_fake_mode_dispatch = FakeTensorMode.__torch_dispatch__
_raw_proxy_dispatch = ProxyTorchDispatchMode.__torch_dispatch__


class _Always:
    """An attribute with one value; ignores what instances set (older torch sets it when it makes a mode)."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self._value

    def __set__(self, instance: Any, value: Any) -> None:
        """Stays as it is."""


class DeviceKernels:
    """Operators that allocate, for torch's CUDA dispatch key: they give CPU memory.

    They catch what no wrapper in Python sees: factories called from C++ or through torch.ops."""

    def __init__(self) -> None:
        self._library: Any = None

    def supply(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a CUDA build has kernels of its own, which are set aside
            self._library = torch.library.Library("aten", "IMPL")
            self._library.impl("empty.memory_format", _allocate, "CUDA")
            self._library.impl("empty_strided", _allocate_strided, "CUDA")
            matmul.register(self._library)
            histograms.register(self._library)

    def remove(self) -> None:
        self._library._destroy()


def _allocate(size: Any, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: Any = None,
              memory_format: Any = None) -> torch.Tensor:  # fmt: skip
    return torch.ops.aten.empty.memory_format(size, dtype=dtype, layout=layout, device=HOST,
                                              memory_format=memory_format)  # fmt: skip


def _allocate_strided(size: Any, stride: Any, dtype: Any = None, layout: Any = None, device: Any = None,
                      pin_memory: Any = None) -> torch.Tensor:  # fmt: skip
    return torch.ops.aten.empty_strided.default(size, stride, dtype=dtype, layout=layout, device=HOST)


def _empty_strided_cuda(size: Any, stride: Any, dtype: torch.dtype) -> torch.Tensor:
    return torch._C._dynamo.guards._empty_strided_cpu(size, stride, dtype)


def patches() -> list[Patch]:
    """Rows for fake tensors and for the code that Inductor writes."""
    devices = "C++ code must not look for CUDA streams and guards of fake tensors"
    graphs = "Inductor's CUDA graph trees are imported by Dynamo where CUDA is available; they are never used"
    return [
        Patch(FakeTensorMode, "avoid_device_init", _Always(True), "fake tensors must not make real ones on a GPU"),
        Patch(FakeTensor, "__new__", staticmethod(_fake_new), devices),
        Patch(FakeTensor, "__torch_dispatch__", classmethod(_fake_dispatch), devices),
        Patch(FakeTensorMode, "__torch_dispatch__", _fake_mode_dispatch, devices),
        Patch(ProxyTorchDispatchMode, "__torch_dispatch__", _proxy_dispatch, devices),
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


def _trace_rows(module: Any) -> list[Patch]:
    """Dynamo treats the factories' wrappers as it treats the originals: they appear in its graphs."""

    @functools.wraps(module.get_torch_obj_rule_map)
    def rules() -> dict[Any, Any]:
        known = raw()
        if not known.keys() >= factories.WRAPPED.keys():
            known.update(dict.fromkeys(factories.WRAPPED, _in_graph()))
            for name in tensors.MAKING_TENSORS:
                known[getattr(torch.Tensor, name)] = known[getattr(torch._C.TensorBase, name)] = _in_graph()
        return known

    raw = module.get_torch_obj_rule_map
    rules.cache_clear = raw.cache_clear  # type: ignore[attr-defined]
    return [Patch(module, "get_torch_obj_rule_map", rules, "wrappers are traced as the functions that they wrap")]


@functools.cache
def _in_graph() -> type:
    from torch._dynamo.variables import TorchInGraphFunctionVariable

    class WrappedFactoryVariable(TorchInGraphFunctionVariable):
        def __init__(self, value: Any, **kwargs: Any) -> None:
            super().__init__(factories.WRAPPED.get(value, value), **kwargs)

    return WrappedFactoryVariable


def _one_configuration(raw: Any) -> Any:
    @functools.wraps(raw)
    def cached_autotune(size_hints: Any, configs: list[Any], *args: Any, **kwargs: Any) -> Any:
        from lockstep import settings

        return raw(size_hints, configs[:1] if settings.current().autotune == "first" else configs, *args, **kwargs)

    return cached_autotune


def _time_once(self: Any, call: Any, *args: Any, **kwargs: Any) -> float:
    """Milliseconds of one run; with autotune="first" every candidate counts as equally fast and none runs."""
    from lockstep import settings

    if settings.current().autotune == "first":
        return 1.0
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e3


def _heuristics_rows(module: Any) -> list[Patch]:
    return [Patch(module, "cached_autotune", _one_configuration(module.cached_autotune),
                  "CPU times choose nothing: the option autotune says how many configurations are tried")]  # fmt: skip


def _benchmarking_rows(module: Any) -> list[Patch]:
    classes = [module.TritonBenchmarker, module.InductorBenchmarker]
    classes += [kind for kind in (getattr(module, "TorchProfilerBenchmarker", None),) if kind is not None]
    return [Patch(kind, "benchmark_gpu", _time_once, "measures by CUDA events, a hundred runs") for kind in classes]


def _driver_rows(module: Any) -> list[Patch]:
    """From 2.12 Inductor's code takes NVIDIA's driver where torch.cuda is available and Triton lists that backend first."""
    why = "the pretence has made Lockstep the driver; another must not replace it"
    return [Patch(module, "set_driver_to_gpu", lambda: None, why)] if hasattr(module, "set_driver_to_gpu") else []


def _scheduling_rows(module: Any) -> list[Patch]:
    from lockstep.models import annotate

    why = "generated code names the model's lines before each launch, for findings"
    return [Patch(module.TritonScheduling, "codegen_comment", annotate.wrapped(module.TritonScheduling.codegen_comment), why)]


def _context_rows(module: Any) -> list[Patch]:
    """Of `with torch.cuda.device(...)` in a traced program: the class keeps functions of torch.cuda from its import, maybe before the pretence."""
    kind = getattr(module, "CUDADeviceVariable", None)
    names = {"_exchange_fn": "_exchange_device", "_maybe_exchange_fn": "_maybe_exchange_device"}
    why = "a module that was imported earlier has torch.cuda's functions as they were"
    return [Patch(kind, name, staticmethod(getattr(torch.cuda, source)), why) for name, source in names.items() if name in vars(kind or object)]


def _refuse_cpp_wrapper(raw: Any) -> Any:
    @functools.wraps(raw)
    def validate_can_generate_cpp_wrapper(self: Any) -> None:
        if self.device_type == "cuda":
            from lockstep.errors import UnsupportedError

            made = "AOTInductor writes" if getattr(self, "aot_mode", False) else "cpp_wrapper has Inductor write"
            raise UnsupportedError(f"{made} a C++ program that launches cubins through CUDA's driver; it needs a real GPU.\nhint: with the Python wrapper "
                                   "the same kernels run: torch._inductor.compile(torch.export.export(model, inputs).module(), list(inputs))")  # fmt: skip
        raw(self)

    return validate_can_generate_cpp_wrapper


def _wrapper_rows(module: Any) -> list[Patch]:
    kind, name = module.GraphLowering, "validate_can_generate_cpp_wrapper"
    return [Patch(kind, name, _refuse_cpp_wrapper(getattr(kind, name)), "a C++ wrapper needs CUDA; the refusal names it")] if hasattr(kind, name) else []


def _own_kernel_rows(module: Any) -> list[Patch]:
    """A user's kernel in compiled code names its source, too. Older releases write no comment there, and have no such method."""
    from lockstep.models import own_kernels

    kind = getattr(module, "UserDefinedTritonKernel", None)
    why = "generated code names the source of a user's kernel before its launch, for findings"
    return [Patch(kind, "codegen_comment", own_kernels.wrapped(kind.codegen_comment), why)] if hasattr(kind, "codegen_comment") else []


_CACHES = ("has_triton", "_device_supports_tma", "has_triton_experimental_host_tma",
           "has_triton_tensor_descriptor_host_tma", "has_triton_tma", "has_triton_tma_device",
           "has_datacenter_blackwell_tma_device", "has_triton_stable_tma_api", "triton_backend",
           "triton_hash_with_backend")  # fmt: skip


def forget_answers() -> None:
    """torch caches facts about the GPU; a pretence begins and ends without such caches."""
    known = sys.modules.get("torch.utils._triton")
    for name in _CACHES:
        cached = getattr(known, name, None)
        if hasattr(cached, "cache_clear"):
            cached.cache_clear()
    hints = sys.modules.get("torch._inductor.runtime.hints")
    if hints is not None and hasattr(hints.DeviceProperties.create, "cache_clear"):
        hints.DeviceProperties.create.cache_clear()


def configuration(module: Any) -> Any:
    """A context manager of torch._inductor.config: keeps all work in this process, launched by Triton's own launcher."""
    return module.patch({"compile_threads": 1, "use_static_cuda_launcher": False})


# Modules of the compiler that are patched after the program imports them, or at once if it has.
LATE = {
    "torch._dynamo.device_interface": _interface_rows,
    "torch._dynamo.trace_rules": _trace_rows,
    "torch._dynamo.variables.ctx_manager": _context_rows,
    "torch._inductor.compile_fx": _compile_rows,
    "torch._inductor.codegen.triton": _scheduling_rows,
    "torch._inductor.graph": _wrapper_rows,
    "torch._inductor.ir": _own_kernel_rows,
    "torch._inductor.runtime.triton_heuristics": _heuristics_rows,
    "torch._inductor.runtime.triton_helpers": _driver_rows,
    "torch._inductor.runtime.benchmarking": _benchmarking_rows,
}
