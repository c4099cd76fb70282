"""Where a tensor lies while `cuda` means the CPU: on the host or on the pretended GPU.

All memory is host memory. A storage that the program believes to be in host memory carries a mark; everything else
counts as device memory, so that a tensor whose history is unknown (a gradient made in C++) is usable by kernels.
Moving between the two is a copy, as it is on a machine with a GPU: what is written on one side is not seen on the
other. Invariant: marks belong to storages, so views always agree with their base."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch.utils._device import DeviceContext

# Our own object of the CPU's device: its identity marks calls that are already translated.
HOST = torch.device("cpu")
CPU = torch.device("cpu")
CUDA = torch.device("cuda", 0)
WHERE_IT_IS = torch.device("cpu", 0)  # C++ code's word for cuda:0 while torch.compile traces; programs say "cpu"
MARK = "_lockstep_is_host"
PINNED = "_lockstep_is_pinned"

_DisableTorchFunction = torch._C.DisableTorchFunction
_raw_device = torch._C.TensorBase.device.__get__
_raw_storage = torch._C.TensorBase.untyped_storage
_raw_storage_device = torch.UntypedStorage.device.__get__
_dispatch_depth = torch._C._len_torch_dispatch_stack
_mode_depth = torch._C._len_torch_function_stack
_mode_at = torch._C._get_function_stack_at
_process_default: list[torch.device | None] = [None]


def parse(device: Any) -> torch.device:
    """The torch.device that torch would make of a device argument. Raises as on a machine with one GPU."""
    if isinstance(device, torch.device):
        parsed = device
    elif isinstance(device, int) and not isinstance(device, bool):
        parsed = torch.device("cuda", device)
    else:
        parsed = torch.device(device)
    if parsed.type == "cuda" and parsed.index not in (None, 0):
        raise RuntimeError(f"CUDA error: invalid device ordinal: {parsed} (Lockstep pretends to be one GPU, cuda:0)")
    return parsed


def is_fake_mode() -> bool:
    """Whether torch computes with fake tensors (torch.compile, meta propagation), which may be on any device."""
    return _dispatch_depth() > 0 and torch._C._get_dispatch_mode(torch._C._TorchDispatchModeKey.FAKE) is not None


def default_device() -> torch.device:
    """The device of factory functions without a device: the innermost `with torch.device(...)`, or the default."""
    for place in range(_mode_depth() - 1, -1, -1):
        mode = _mode_at(place)
        if isinstance(mode, DeviceContext):
            return mode.device
    return _process_default[0] or CPU


def set_process_default(device: torch.device | None) -> None:
    _process_default[0] = device


def process_default() -> torch.device | None:
    return _process_default[0]


_cuda_type_is_default = [False]


def set_cuda_type_default(is_default: bool) -> None:
    """Whether set_default_tensor_type() named a type of torch.cuda: then torch.Tensor(...) makes device tensors."""
    _cuda_type_is_default[0] = is_default


def is_cuda_type_default() -> bool:
    return _cuda_type_is_default[0]


# The original behind each wrapper that is a method of torch.Tensor: torch passes a method to function modes by its
# name, so a mode that is called for the original gets the wrapper.
ORIGINAL_OF: dict[Any, Any] = {}
PLAIN = (torch.Tensor, torch.nn.Parameter)
_skippable_modes: list[type] = [DeviceContext]


def skip_mode(kind: type) -> None:
    """Calls that are already translated can skip modes of this class."""
    _skippable_modes.append(kind)


def _nobody_else_listens() -> bool:
    depth = _mode_depth()
    return depth == 0 or (depth == 1 and type(_mode_at(0)) in _skippable_modes)


def call(raw: Any, *args: Any, **kwargs: Any) -> Any:
    """raw(*args, **kwargs), past Lockstep's mode where no other mode and no subclass of Tensor wants to see it."""
    if _nobody_else_listens() and (not isinstance(args[0], torch.Tensor) or type(args[0]) in PLAIN):
        with _DisableTorchFunction():
            return raw(*args, **kwargs)
    return raw(*args, **kwargs)


_truths = 0


@contextlib.contextmanager
def truth() -> Iterator[None]:
    """Inside, tensors and storages report where they really are. For torch's code that moves real memory."""
    global _truths
    _truths += 1
    try:
        yield
    finally:
        _truths -= 1


def storage_device(storage: Any) -> torch.device:
    """What `storage.device` answers."""
    real = _raw_storage_device(storage)
    if real.type != "cpu" or _truths:
        return real
    return CPU if getattr(storage, MARK) else CUDA


def is_host(tensor: torch.Tensor) -> bool:
    """Whether the tensor's storage is marked as host memory."""
    with _DisableTorchFunction():
        try:
            return getattr(_raw_storage(tensor), MARK, False)
        except (RuntimeError, NotImplementedError, AttributeError):
            return MARK in tensor.__dict__  # sparse, functorch and other tensors without a storage


def _mark_without_storage(tensor: torch.Tensor, host: bool) -> None:
    if host:
        tensor.__dict__[MARK] = True
    else:
        tensor.__dict__.pop(MARK, None)


def set_host(value: Any, host: bool) -> Any:
    """Marks the storages of a tensor (or of those in a tuple or list); returns its argument."""
    if isinstance(value, torch.Tensor):
        with _DisableTorchFunction():
            try:
                storage = _raw_storage(value)
                if getattr(storage, MARK, False) is not host:
                    setattr(storage, MARK, host)
            except (RuntimeError, NotImplementedError, AttributeError):
                _mark_without_storage(value, host)
    elif isinstance(value, (tuple, list)):
        for item in value:
            set_host(item, host)
    return value


def device_of(tensor: torch.Tensor) -> torch.device:
    """The answer of `tensor.device`: cuda:0 for CPU memory that is not marked as host memory, else the truth."""
    with _DisableTorchFunction():
        real = _raw_device(tensor)
        if real.type != "cpu" or _truths:
            return real
        try:
            return CPU if getattr(_raw_storage(tensor), MARK) else CUDA
        except (RuntimeError, NotImplementedError, AttributeError):
            return CPU if MARK in tensor.__dict__ else CUDA
