"""Default devices: set_default_device, `with torch.device("cuda")`, set_default_tensor_type.

torch keeps a default device as a function mode that fills in device="cuda", which would reach code that cannot have it;
here the default is kept in placement.py, where factory functions look, and torch's mode is given the CPU.
Invariant: get_default_device() answers what the program set."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _device

from lockstep.pretend import placement
from lockstep.pretend.patching import Patch

_Context = _device.DeviceContext
_handle = _Context.__torch_function__
_raw_set_default = torch.set_default_device
_raw_get_default = torch.get_default_device
_raw_set_type = torch.set_default_tensor_type
_TYPES = {f"torch.{name}": getattr(torch, name) for name in dir(torch) if name.endswith("Tensor")}  # before patches


def _context_handle(self: Any, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
    if self.device.type != "cuda" or placement.is_fake_mode() or torch.compiler.is_dynamo_compiling():
        return _handle(self, func, types, args, kwargs)
    return func(*args, **(kwargs or {}))


def set_default_device(device: Any) -> None:
    """torch.set_default_device; remembers "cuda", and never passes it to torch."""
    parsed = None if device is None else placement.parse(device)
    if parsed is not None and parsed.type == "cuda":
        _raw_set_default(None)
    else:
        _raw_set_default(device)
    placement.set_process_default(parsed)


def get_default_device() -> torch.device:
    device = placement.default_device()
    if device.type == "cuda":
        return placement.CUDA
    return _raw_get_default() if device.type == "cpu" else device


def set_default_tensor_type(kind: Any) -> None:
    """torch.set_default_tensor_type; a torch.cuda type sets the default device too."""
    text = kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__name__}"
    placement.set_cuda_type_default(text.startswith("torch.cuda."))
    if text.startswith("torch.cuda."):
        set_default_device("cuda")
        text = text.replace("torch.cuda.", "torch.", 1)
    elif placement.process_default() is not None:
        set_default_device(None)
    _raw_set_type(_TYPES.get(text, text))


def patches() -> list[Patch]:
    why = "placement.py keeps a default device of cuda"
    rows = [Patch(torch, function.__name__, function, why)
            for function in (set_default_device, get_default_device, set_default_tensor_type)]  # fmt: skip
    return [*rows, Patch(_Context, "__torch_function__", _context_handle, why)]
