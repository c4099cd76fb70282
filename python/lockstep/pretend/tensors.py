"""What tensors say about their device, and how they move between host and pretended GPU.

These are attributes of torch.Tensor, not handlers of the function mode, so that they hold in every thread, inside
backward passes and in torch's own Python code. Invariant: `to`, `cuda` and `cpu` return the tensor itself exactly
where torch on a machine with a GPU does, and a copy where it copies."""

from __future__ import annotations

import functools
import numbers
from collections.abc import Callable
from typing import Any

import torch

from lockstep.pretend import placement, releases, uninitialised
from lockstep.pretend.generators import translate_generator
from lockstep.pretend.patching import Patch
from lockstep.pretend.placement import CPU, CUDA, HOST, WHERE_IT_IS

_Base = torch._C.TensorBase
_raw_to, _raw_type = _Base.to, _Base.type
_LEGACY = {"FloatTensor": torch.float32, "DoubleTensor": torch.float64, "HalfTensor": torch.float16,
           "BFloat16Tensor": torch.bfloat16, "ByteTensor": torch.uint8, "CharTensor": torch.int8,
           "ShortTensor": torch.int16, "IntTensor": torch.int32, "LongTensor": torch.int64,
           "BoolTensor": torch.bool}  # fmt: skip


def _is_device(value: Any) -> bool:
    return isinstance(value, (str, torch.device)) or (isinstance(value, int) and not isinstance(value, bool))


def move(tensor: torch.Tensor, wanted: torch.device, *args: Any, **kwargs: Any) -> torch.Tensor:
    """tensor.to(wanted, *args, **kwargs) where `wanted` is cuda or cpu and the tensor's memory is the CPU's."""
    host = wanted.type == "cpu"
    was_host = tensor.device.type == "cpu"
    result = placement.call(_raw_to, tensor, HOST, *args, **kwargs)
    if result is tensor:
        if host == was_host:
            return result
        result = tensor.clone(memory_format=kwargs.get("memory_format") or torch.preserve_format)
    return placement.set_host(result, host)


def _to(self: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
    fake = placement.is_fake_mode()
    if len(args) == 1 and not kwargs and not fake and isinstance(args[0], (str, torch.device)):
        is_there = placement.parse(args[0]).type == placement.device_of(self).type
        if is_there and type(self) in placement.PLAIN:
            return self
    wanted: Any = kwargs.pop("device", None)
    other = kwargs.pop("other", None)
    if args and isinstance(args[0], torch.Tensor):
        other, args = args[0], args[1:]
    elif args and wanted is None and (args[0] is None or _is_device(args[0])):
        wanted, args = args[0], args[1:]
    if other is not None:
        wanted, args = other.device, (other.dtype, *args)
    wanted = self.device if wanted is None else placement.parse(wanted)
    if fake:
        return _fake_to(self, wanted, args, kwargs)
    if wanted.type not in ("cuda", "cpu") or self.device.type not in ("cuda", "cpu"):
        return placement.call(_raw_to, self, HOST if wanted.type == "cuda" else wanted, *args, **kwargs)
    return move(self, wanted, *args, **kwargs)


def _fake_to(self: torch.Tensor, wanted: torch.device, args: tuple, kwargs: dict) -> torch.Tensor:
    """`to` while torch.compile traces: torch's C++ code treats the fake tensor as one on the CPU."""
    if wanted.type == self.device.type:
        return _raw_to(self, *args, **kwargs) if args or kwargs.get("dtype") or kwargs.get("copy") else self
    if wanted.type == "cpu" and self.device.type == "cuda":
        dtype = kwargs.get("dtype") or next((value for value in args if isinstance(value, torch.dtype)), None)
        return torch.ops.aten._to_copy.default(self, device=CPU, dtype=dtype)
    return _raw_to(self, wanted, *args, **kwargs)


def _cuda(self: torch.Tensor, device: Any = None, non_blocking: bool = False,
          memory_format: Any = torch.preserve_format) -> torch.Tensor:  # fmt: skip
    return _to(self, CUDA if device is None else device, non_blocking=non_blocking, memory_format=memory_format)


def _cpu(self: torch.Tensor, memory_format: Any = torch.preserve_format) -> torch.Tensor:
    return _to(self, CPU, memory_format=memory_format)


def _type_as(self: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    return _to(self, other)


def _type(self: torch.Tensor, dtype: Any = None, non_blocking: bool = False, **kwargs: Any) -> Any:
    if dtype is None:
        name = placement.call(_raw_type, self)
        return name.replace("torch.", "torch.cuda.", 1) if self.is_cuda and ".cuda." not in name else name
    text = dtype if isinstance(dtype, str) else f"{getattr(dtype, '__module__', '')}.{getattr(dtype, '__name__', '')}"
    if isinstance(dtype, torch.dtype) or text.rsplit(".", 1)[-1] not in _LEGACY:
        return placement.call(_raw_type, self, dtype, non_blocking, **kwargs)
    wanted = CUDA if text.startswith("torch.cuda.") else CPU
    return _to(self, wanted, _LEGACY[text.rsplit(".", 1)[-1]], non_blocking)


def _new(raw: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(raw)
    def new(self: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
        wanted = kwargs.get("device")
        if wanted is HOST or placement.is_fake_mode():
            return placement.call(raw, self, *args, **kwargs)
        wanted = self.device if wanted is None else placement.parse(wanted)
        if wanted.type in ("cuda", "cpu"):
            kwargs["device"] = HOST
        kwargs.pop("pin_memory", None)
        result = placement.call(raw, self, *args, **kwargs)
        if raw in uninitialised.WATCHED:
            uninitialised.see(raw, (self,), result)
        return placement.set_host(result, True) if wanted.type == "cpu" else result

    return new


def _random(raw: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(raw)
    def in_place(self: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
        if "generator" in kwargs:
            kwargs["generator"] = translate_generator(kwargs["generator"])
        return placement.call(raw, self, *args, **kwargs)

    return in_place


def _pin_memory(self: torch.Tensor, device: Any = None) -> torch.Tensor:
    if self.device.type == "cuda":
        raise RuntimeError(f"cannot pin '{self.type()}' only dense CPU tensors can be pinned")
    if _is_pinned(self):
        return self
    copy = placement.set_host(self.clone(), True)
    setattr(copy.untyped_storage(), placement.PINNED, True)
    return copy


def _is_pinned(self: torch.Tensor, device: Any = None) -> bool:
    return getattr(self.untyped_storage(), placement.PINNED, False)


def _get_device(self: torch.Tensor) -> int:
    device = self.device
    return device.index if device.type != "cpu" else -1


def _dlpack_device(self: torch.Tensor) -> tuple[int, int]:
    return (torch.utils.dlpack.DLDeviceType.kDLCPU, 0)


def _dlpack(self: torch.Tensor, *, stream: Any = None, max_version: Any = None, dl_device: Any = None,
            copy: bool | None = None) -> Any:  # fmt: skip
    if self.requires_grad:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    if self.is_conj() or self.layout != torch.strided:
        raise BufferError("Can't export tensors that are conjugated or not strided")
    return releases.dlpack_capsule(self, max_version, dl_device, copy)


def _cuda_array_interface(self: torch.Tensor) -> Any:
    raise AttributeError("__cuda_array_interface__: under lockstep.pretend_cuda() a tensor's memory is the CPU's; "
                         "use __array_interface__ or DLPack")  # fmt: skip


def _make_wrapper_subclass(*args: Any, **kwargs: Any) -> Any:
    given = kwargs.get("device")
    if given is not None and placement.parse(given).type == "cuda":
        kwargs["device"] = WHERE_IT_IS
    args = tuple(WHERE_IT_IS if isinstance(value, torch.device) and value.type == "cuda" else value for value in args)
    return _Base._make_wrapper_subclass(*args, **kwargs)


_NEW = ("new_empty", "new_zeros", "new_ones", "new_full", "new_tensor", "new_empty_strided", "new")
MAKING_TENSORS = ("to", "cuda", "cpu", "type_as", *_NEW)  # methods that give tensors, for torch.compile's graphs
_IN_PLACE_RANDOM = ("normal_", "uniform_", "random_", "exponential_", "bernoulli_", "cauchy_", "geometric_",
                    "log_normal_", "multinomial", "bernoulli")  # fmt: skip


def _tensor_rows() -> dict[str, Any]:
    says = {
        "device": property(placement.device_of),
        "is_cuda": property(lambda self: placement.device_of(self).type == "cuda"),
        "is_cpu": property(lambda self: placement.device_of(self).type == "cpu"),
        "__cuda_array_interface__": property(_cuda_array_interface),
    }
    does = {"get_device": _get_device, "to": _to, "cuda": _cuda, "cpu": _cpu, "type": _type, "type_as": _type_as,
            "pin_memory": _pin_memory, "is_pinned": _is_pinned, "record_stream": lambda self, stream: None,
            "__dlpack_device__": _dlpack_device, "__dlpack__": _dlpack,
            "_make_wrapper_subclass": staticmethod(_make_wrapper_subclass)}  # fmt: skip
    news = {name: _new(getattr(_Base, name)) for name in _NEW}
    randoms = {name: _random(getattr(_Base, name)) for name in _IN_PLACE_RANDOM}
    return {**says, **does, **news, **randoms}


class _LegacyMeta(type):
    """torch.cuda.FloatTensor and similar ones: names of a type on a device, with tensors as instances."""

    dtype: torch.dtype
    place: torch.device

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, torch.Tensor) and value.dtype == cls.dtype and value.device.type == cls.place.type

    def __call__(cls, *args: Any, **kwargs: Any) -> torch.Tensor:
        kwargs.pop("device", None)  # torch takes none but the type's own
        if kwargs:
            args = (*args, *kwargs.values())  # data= or size=
        source = args[0] if len(args) == 1 and not isinstance(args[0], (numbers.Integral, torch.Size)) else None
        if isinstance(source, (torch.UntypedStorage, torch.TypedStorage)):
            return torch.empty(0, dtype=cls.dtype, device=cls.place).set_(source)
        if isinstance(source, torch.Tensor) and source.dtype == cls.dtype and source.device.type == cls.place.type:
            return source.detach()  # torch's own gives the same memory
        if source is not None:
            return torch.tensor(source, dtype=cls.dtype, device=cls.place)
        return torch.empty(*(args or (0,)), dtype=cls.dtype, device=cls.place)


def _legacy_rows() -> list[Patch]:
    return [Patch(owner, name, _LegacyMeta(name, (), {"dtype": dtype, "__module__": owner.__name__, "place": place}),
                  "torch's own cannot be made or matched without CUDA, or ignores marks")
            for owner, place in ((torch.cuda, CUDA), (torch, CPU))
            for name, dtype in _LEGACY.items()]  # fmt: skip


def patches() -> list[Patch]:
    """Rows for torch.Tensor."""
    placement.ORIGINAL_OF.clear()  # wrappers of an earlier pretence
    for name, value in _tensor_rows().items():
        if name != "_make_wrapper_subclass" and name in vars(_Base):
            wrapper, original = (
                (value.__get__, getattr(_Base, name).__get__)
                if isinstance(value, property)
                else (value, getattr(_Base, name))
            )
            placement.ORIGINAL_OF[wrapper] = original
    rows = [Patch(torch.Tensor, name, value, "tensors report cuda:0 unless they are in host memory; moves copy")
            for name, value in _tensor_rows().items()]  # fmt: skip
    return rows + _legacy_rows()
