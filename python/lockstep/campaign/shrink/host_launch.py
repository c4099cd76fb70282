"""A launch of a file's kernel as capsule content: its arguments are in the engine's own memory."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lockstep.campaign.shrink.capsules import Shrunk
from lockstep.recorded_arguments import element_of, scalar_bits

if TYPE_CHECKING:
    from lockstep._native import HostTensor, Kernel, Module


class _Memory:
    """The storages of tensors, each once."""

    def __init__(self) -> None:
        self.before: list[bytes] = []
        self._numbers: dict[int, int] = {}

    def number_of(self, tensor: HostTensor) -> int:
        storage = tensor.untyped_storage()
        address = storage.data_ptr()
        if address not in self._numbers:
            self._numbers[address] = len(self.before)
            self.before.append(ctypes.string_at(address, storage.nbytes()) if storage.nbytes() else b"")
        return self._numbers[address]

    def has(self, tensor: HostTensor) -> bool:
        return tensor.untyped_storage().data_ptr() in self._numbers

    def window(self, tensor: HostTensor) -> dict[str, Any]:
        offset = tensor.data_ptr() - tensor.untyped_storage().data_ptr()
        return {"storage": self.number_of(tensor), "offset": offset, "shape": list(tensor.shape), "strides": list(tensor.stride())}


def _entry(name: str, kind: str, value: Any, memory: _Memory) -> dict[str, Any]:
    """One of the manifest's `arguments`; `kind`: the parameter's type in TTIR."""
    if kind.startswith("!tt.tensordesc"):
        element = kind[kind.rindex("x") + 1 :].rstrip(">").split(",")[0].replace("ui", "i").replace("si", "i")
        return {"name": name, "kind": "descriptor", "type": element, **memory.window(value.base), "shape": list(value.shape),
                "strides": list(value.strides), "padding": value.padding}  # fmt: skip
    if kind.startswith("!tt.ptr"):
        return {"name": name, "kind": "pointer", "type": element_of(kind), **memory.window(value)}
    return {"name": name, "kind": "scalar", "type": kind, "bits": hex(scalar_bits(value, kind)), "value": value}


def _entries(kernel: Kernel, arguments: list[Any], memory: _Memory) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    first = 0
    for number, (one, value) in enumerate(zip(kernel.parameters, arguments, strict=True)):
        first = first if number and one.name == kernel.parameters[first].name else number
        name = one.name if number == first else f"{one.name}.{number - first}"  # sizes and strides behind a descriptor
        entries.append(_entry(name, one.type, value, memory))
    return entries


def windows(kernel: Kernel, arguments: list[Any], tensors: Mapping[str, HostTensor]) -> dict[str, dict[str, Any]]:
    """Where each tensor is in the storages of the launch: descriptors have other names than their tensors."""
    memory = _Memory()
    _entries(kernel, arguments, memory)
    return {name: memory.window(tensor) for name, tensor in tensors.items() if memory.has(tensor)}


def of(module: Module, kernel: Kernel, grid: tuple[int, int, int], arguments: list[Any], facts: dict[str, Any]) -> Shrunk:
    """Before the launch. `facts`: target, constants, as in docs/capsules.md."""
    from lockstep import _native

    memory = _Memory()
    entries = _entries(kernel, arguments, memory)
    told = {"kernel": kernel.name, "grid": list(grid), "arguments": entries, "storages": [{} for _ in memory.before],
            "recorded_by": "lockstep", "options": {"debug": False, "fp_fusion": False}, "versions": {"lockstep": _native.__version__}, **facts}  # fmt: skip
    return Shrunk(told, module.text(locations=True), memory.before)
