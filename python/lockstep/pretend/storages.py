"""Storages: where they say they are, torch.save and torch.load, and passing tensors between processes.

A file written under the pretence carries `cuda:0` for device memory, as a GPU's program would write it; loading such a
file needs no GPU. Tensors given to another process travel through shared memory, wherever they say they are: CUDA's IPC
is not used."""

from __future__ import annotations

import functools
from collections.abc import Callable
from multiprocessing.reduction import ForkingPickler
from typing import Any

import torch
from torch import serialization
from torch.multiprocessing import reductions

from lockstep.pretend import placement
from lockstep.pretend.patching import Patch
from lockstep.pretend.placement import CPU, CUDA

_PRIORITY = 1  # before torch's own, which begin at 10


def _untyped(storage: Any) -> torch.UntypedStorage:
    return storage if isinstance(storage, torch.UntypedStorage) else storage._untyped_storage


def _tag(storage: Any) -> str | None:
    device = placement.storage_device(_untyped(storage))
    return str(device) if device.type in ("cpu", "cuda") else None


def _restore(storage: Any, location: str) -> Any:
    if location != "cpu" and not location.startswith("cuda"):
        return None
    setattr(_untyped(storage), placement.MARK, placement.parse(location).type == "cpu")
    return storage


def _move(storage: torch.UntypedStorage, device: Any, non_blocking: bool = False) -> torch.UntypedStorage:
    wanted = placement.parse(device)
    if wanted.type not in ("cpu", "cuda"):
        if _raw_to is None:
            raise NotImplementedError(f"this torch cannot move storages to {wanted}")
        return _raw_to(storage, device=wanted, non_blocking=non_blocking)
    if placement.storage_device(storage).type == wanted.type:
        return storage
    copy = torch.UntypedStorage(storage.nbytes())
    copy.copy_(storage)
    setattr(copy, placement.MARK, wanted.type == "cpu")
    return copy


def _clone(storage: torch.UntypedStorage) -> torch.UntypedStorage:
    if _raw_device_type(storage) != "cpu":
        return _raw_clone(storage)
    copy = type(storage)(storage.nbytes()).copy_(storage)
    setattr(copy, placement.MARK, getattr(storage, placement.MARK))
    return copy


def _raw_device_type(storage: torch.UntypedStorage) -> str:
    with placement.truth():
        return storage.device.type


def _get_restore_location(map_location: Any) -> Callable[[Any, str], Any]:
    restore = _raw_get_restore_location(map_location)

    def restored(storage: Any, location: str) -> Any:
        # Data from the file are in host memory until a deserializer moves them.
        setattr(_untyped(storage), placement.MARK, True)
        return restore(storage, location)

    return restored


_raw_get_restore_location = serialization._get_restore_location
_raw_clone = torch.UntypedStorage.clone
_raw_to = getattr(torch.UntypedStorage, "to", None)


def _cuda(self: Any, device: Any = None, non_blocking: bool = False) -> Any:
    return _move(self, CUDA if device is None else device, non_blocking)


def _to(self: Any, *, device: Any, non_blocking: bool = False) -> Any:
    return _move(self, device, non_blocking)


def _truthful(reduce: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(reduce)
    def reduced(value: Any) -> Any:
        with placement.truth():
            plan = reduce(value)
        if isinstance(value, torch.Tensor):
            return (_rebuild, (plan, placement.is_host(value)))
        return plan

    return reduced


def _rebuild(plan: tuple[Callable[..., Any], tuple], host: bool) -> Any:
    """In the process that receives a tensor."""
    return placement.set_host(plan[0](*plan[1]), host)


def patches() -> list[Patch]:
    """Rows for storages, and for tensors sent to other processes."""
    marks = "the place belongs to the storage, so that views agree with their base"
    kind = torch.UntypedStorage
    rows = [Patch(kind, name, value, marks) for name, value in {
        placement.MARK: False,
        "device": property(placement.storage_device),
        "is_cuda": property(lambda self: self.device.type == "cuda"),
        "cuda": _cuda,
        "cpu": lambda self: _move(self, CPU),
        "to": _to,
        "clone": _clone,
    }.items()]  # fmt: skip
    rows.append(Patch(serialization, "_get_restore_location", _get_restore_location, "map_location as a function"))
    reducers = ForkingPickler._extra_reducers
    for sent, reduce in list(reducers.items()):
        if getattr(reduce, "__module__", "") == reductions.__name__:
            rows.append(Patch(reducers, sent, _truthful(reduce), "tensors travel through shared memory"))
    return rows


class Files:
    """Lockstep's entry among torch's (de)serializers of storages."""

    def __init__(self) -> None:
        self._entry = (_PRIORITY, _tag, _restore)

    def supply(self) -> None:
        serialization._package_registry.insert(0, self._entry)

    def remove(self) -> None:
        if self._entry in serialization._package_registry:
            serialization._package_registry.remove(self._entry)
