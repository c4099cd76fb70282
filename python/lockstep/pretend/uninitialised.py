"""Memory that torch.empty and its relatives leave unwritten: the engine learns of it and finds kernels that read it;
and the lines that made tensors, which findings about their memory name.

In force under `python -m lockstep` and the pytest plugin alone. Invariant: a tensor counts as initialised when in
doubt: an op of torch raised its version, its bytes changed, it was handed out as `.data` or as a NumPy array,
a kernel may have written it. The tensor's memory is left as torch made it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import torch

_Base = torch._C.TensorBase
_raw_storage = _Base.untyped_storage
_raw_device = _Base.device.__get__
_EMPTY = frozenset((torch.empty, torch.empty_like, torch.empty_strided, torch.empty_permuted, _Base.new_empty,
                    _Base.new_empty_strided))  # fmt: skip
_FILLED = frozenset((torch.zeros, torch.zeros_like, torch.ones, torch.ones_like, torch.full, torch.full_like, torch.rand,
                     torch.rand_like, torch.randn, torch.randn_like, torch.randint, torch.randint_like, torch.randperm,
                     torch.arange, torch.linspace, torch.eye, torch.tensor, torch.clone, _Base.clone, _Base.new_zeros,
                     _Base.new_ones, _Base.new_full, _Base.new_tensor))  # fmt: skip
_HANDED_OUT = (_Base.numpy, torch.Tensor.__array__, torch.Tensor.data.__get__, torch.Tensor.storage, _Base.set_,
               torch.Tensor.share_memory_)  # fmt: skip
_OURS = (os.path.dirname(os.path.dirname(os.path.abspath(__file__))), os.path.dirname(torch.__file__))

# Functions that the mode reports to see(); empty while nothing is watched.
WATCHED: set[Any] = set()


class _Token:
    """Lives in the storage's dictionary, so it ends with the storage."""

    __slots__ = ("_address", "_forget")

    def __init__(self, address: int, forget: Callable[[int], None]) -> None:
        self._address, self._forget = address, forget

    def __del__(self) -> None:
        self._forget(self._address)


def start() -> None:
    """Watches from now on, for the rest of the process."""
    WATCHED.update(_EMPTY, _FILLED, _HANDED_OUT)


def stop() -> None:
    WATCHED.clear()


def _site() -> str:
    """The program's line that asked for the memory."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith(_OURS):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else ""


def see(func: Any, args: tuple, result: Any) -> None:
    """A watched function was called with `args` and returned `result`."""
    if func in _EMPTY or func in _FILLED:
        _note(result, is_empty=func in _EMPTY)
    elif args and isinstance(args[0], torch.Tensor):
        _forget(args[0])


def _note(tensor: Any, *, is_empty: bool) -> None:
    if type(tensor) is not torch.Tensor or tensor.layout is not torch.strided or tensor.is_inference():
        return
    from lockstep import _native

    with torch._C.DisableTorchFunction():
        try:
            storage = _raw_storage(tensor)
            if _raw_device(tensor).type != "cpu" or storage.nbytes() == 0:
                return
            address, size = storage.data_ptr(), storage.nbytes()
            is_empty = is_empty and tensor._version == 0
        except (RuntimeError, NotImplementedError):  # fake and functional tensors have no memory
            return
        storage._lockstep_site = _Token(address, _native.forget_site)
        if is_empty:
            storage._lockstep_empty = _Token(address, _native.forget_empty)
    if site := _site():
        _native.note_site(address, site)
    if is_empty:
        _native.note_empty(address, size)


def _forget(tensor: torch.Tensor) -> None:
    with torch._C.DisableTorchFunction():
        try:
            vars(_raw_storage(tensor)).pop("_lockstep_empty", None)
        except (RuntimeError, NotImplementedError, TypeError):
            return
