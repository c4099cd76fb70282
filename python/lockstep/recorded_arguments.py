"""A launch's arguments as the parameters of its TTIR function, and the memory that they lie in.

`collect` flattens what Triton passes (tensors, tuples, descriptors, scalars; constants take no part) by the kernel's
signature and checks it against the function's own parameter types. Invariant: arguments that share memory share a
storage; nothing is written. Raises CannotRecord, with the reason, for what a capsule cannot hold."""

from __future__ import annotations

import bisect
import ctypes
import gc
import re
import struct
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

_POINTER = re.compile(r"!tt\.ptr<(.*?)(?:, \d+)?>$")
_MASKS = {"i1": 1, "i8": 0xFF, "i16": 0xFFFF, "i32": 0xFFFFFFFF, "i64": 0xFFFFFFFFFFFFFFFF}
_FLOATS = {"f64": "<d", "f32": "<f", "f16": "<e"}


class CannotRecord(Exception):
    """Why a launch is not recorded."""


@dataclass
class Region:
    """The memory of one allocation: an address range and how to read its bytes."""

    begin: int
    end: int
    read: Callable[[], bytes]
    is_unwritten: bool = False  # memory of torch.empty that nobody wrote, under Lockstep


@dataclass
class Collected:
    """The arguments for a manifest; their "address" becomes storage and offset once all are known."""

    arguments: list[dict[str, Any]] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)
    regions: list[Region] = field(default_factory=list)


# ---- the function's own parameters ----


def _split_at_commas(text: str) -> Iterator[str]:
    depth, begin, in_string = 0, 0, False
    for i, letter in enumerate(text):
        if letter == '"' and text[i - 1] != "\\":
            in_string = not in_string
        elif in_string or (letter == ">" and text[i - 1] == "-"):
            continue
        elif letter in "<({[":
            depth += 1
        elif letter in ">)}]":
            if depth == 0:
                yield text[begin:i]
                return
            depth -= 1
        elif letter == "," and depth == 0:
            yield text[begin:i]
            begin = i + 1


def parameter_types(ttir: str, kernel: str) -> list[str]:
    """The types of the TTIR function's parameters: "!tt.ptr<f32>", "i32", ... Raises CannotRecord."""
    head = re.search(r"tt\.func public @\"?" + re.escape(kernel) + r"\"?\(", ttir)
    if head is None:
        raise CannotRecord(f"its TTIR has no function {kernel}")
    types = []
    for part in _split_at_commas(ttir[head.end() :]):
        _, colon, rest = part.partition(":")
        if colon:
            types.append(re.split(r" \{| loc\(", rest.strip(), maxsplit=1)[0].strip())
    return types


def element_of(pointer: str) -> str:
    """ "f32" of "!tt.ptr<f32>"; a pointer to pointers has elements of 64 bits."""
    match = _POINTER.match(pointer)
    if match is None:
        raise CannotRecord(f"a parameter of type {pointer} is not known")
    return "i64" if match.group(1).startswith("!tt.ptr") else match.group(1)


# ---- memory ----


def _read_host(address: int, size: int) -> Callable[[], bytes]:
    return lambda: ctypes.string_at(address, size) if size != 0 else b""


def _read_device(tensor: Any) -> Callable[[], bytes]:
    def read() -> bytes:
        import torch

        storage = tensor.untyped_storage()
        with torch.no_grad():
            whole = torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(storage)
            return bytes(whole.cpu().numpy().tobytes())

    return read


def region_of(tensor: Any, on_host: bool) -> Region | None:
    """The whole allocation that a torch tensor lies in; None for an object without one."""
    if not hasattr(tensor, "untyped_storage"):
        return None
    storage = tensor.untyped_storage()
    begin, size = storage.data_ptr(), storage.nbytes()
    return Region(begin, begin + size, _read_host(begin, size) if on_host else _read_device(tensor))


def live_regions(on_host: bool) -> list[Region]:
    """The allocations of all live tensors, by address, none overlapping."""
    torch = sys.modules.get("torch")
    found: dict[int, Region] = {}
    for candidate in gc.get_objects() if torch is not None else []:
        if not issubclass(type(candidate), torch.Tensor):
            continue
        try:
            with torch._C.DisableTorchFunction():
                is_on_host = torch._C.TensorBase.device.__get__(candidate).type == "cpu"
                if candidate.layout is not torch.strided or is_on_host != on_host:
                    continue
                region = region_of(candidate, on_host)
        except (RuntimeError, NotImplementedError, TypeError, AttributeError):  # fake, meta, functional: no memory
            continue
        if region is not None and region.begin != 0 and region.end > found.get(region.begin, region).begin:
            kept = found.get(region.begin)
            if kept is None or kept.end < region.end:
                found[region.begin] = region
    return [found[begin] for begin in sorted(found)]


# ---- arguments ----


def scalar_bits(value: Any, type_name: str) -> int:
    """A number as Triton's launcher passes it, zero-extended."""
    if type_name in _MASKS:
        return int(value) & _MASKS[type_name]
    number = float(value)
    if type_name == "bf16":  # the launcher keeps the upper half of the float
        return scalar_bits(number, "f32") >> 16
    if type_name not in _FLOATS:
        raise CannotRecord(f"a scalar of type {type_name} is not known")
    try:
        content = struct.pack(_FLOATS[type_name], number)
    except OverflowError:
        content = struct.pack(_FLOATS[type_name], float("inf") if number > 0 else float("-inf"))
    return int.from_bytes(content, "little")


def _is_unwritten(tensor: Any, region: Region) -> bool:
    from lockstep import _native

    return _native.is_unwritten(tensor, region.begin, region.end)


class _Collector:
    """Walks signature, values and parameter types side by side."""

    def __init__(self, types: list[str], on_host: bool) -> None:
        self.found = Collected()
        self._types = types
        self._next = self._first = 0
        self._on_host = on_host

    def take(self, name: str, signature: Any, value: Any) -> None:
        if isinstance(signature, (tuple, list)):
            for i, (one, item) in enumerate(zip(signature, value, strict=True)):
                self.take(f"{name}.{i}", one, item)
        elif signature == "constexpr":
            self.found.constants[name] = _shown(value)
        elif signature.startswith("tensordesc"):
            self._take_descriptor(name, value)
        elif signature.startswith("*"):
            self._take_pointer(name, value, is_unsigned=signature.lstrip("*k").startswith("u"))
        else:
            self._take_scalar(name, value, is_unsigned=signature.startswith("u"))

    def is_complete(self) -> bool:
        return self._next == len(self._types)

    def _parameter(self, name: str) -> str:
        if self._next >= len(self._types):
            raise CannotRecord(f"the kernel has no parameter for {name}")
        self._next += 1
        return self._types[self._next - 1]

    def _take_scalar(self, name: str, value: Any, is_unsigned: bool = False) -> None:
        wanted = self._parameter(name)
        shown = "u" + wanted[1:] if is_unsigned and wanted in _MASKS and wanted != "i1" else wanted
        bits = scalar_bits(value, wanted)
        self.found.arguments.append(
            {"name": name, "kind": "scalar", "type": shown, "bits": hex(bits), "value": _shown(value)}
        )

    def _take_pointer(self, name: str, value: Any, is_unsigned: bool) -> None:
        element = element_of(self._parameter(name))
        if is_unsigned and element in _MASKS and element != "i1":
            element = "u" + element[1:]
        entry = {"name": name, "kind": "pointer", "type": element}
        self.found.arguments.append({**entry, **self._window(name, value)})

    def _take_descriptor(self, name: str, value: Any) -> None:
        self._first = self._next
        wanted = self._parameter(name)
        base = self._window(name, value.base)
        shape, strides = [int(n) for n in value.shape], [int(n) for n in value.strides]
        rank, pads_nan = len(shape), getattr(value, "padding", "zero") == "nan"
        entry = {"name": name, **base, "shape": shape, "strides": strides}
        if wanted.startswith("!tt.tensordesc"):
            element = wanted[wanted.rindex("x") + 1 :].rstrip(">").split(",")[0].replace("ui", "i").replace("si", "i")
            padding = "nan" if pads_nan else "zero"
            self.found.arguments.append({**entry, "kind": "descriptor", "type": element, "padding": padding})
        else:  # lowered: address, sizes and strides as i64, flags
            self.found.arguments.append({**entry, "kind": "pointer", "type": element_of(wanted)})
            self._take_all(name, [*shape, *strides])
            flags = [pads_nan, bool(getattr(value, "round_f32_to_tf32", False))]
            while self._next < len(self._types) and self._types[self._next] == "i1" and flags:
                self._take_all(name, [flags.pop(0)])
        if self._has_sizes(rank):
            self._take_all(name, [*shape, *strides])

    def _has_sizes(self, rank: int) -> bool:
        return self._types[self._next : self._next + 2 * rank] == ["i32"] * rank + ["i64"] * rank

    def _take_all(self, name: str, numbers: list[Any]) -> None:
        """Numbers that Triton passes after an argument, named by their place."""
        for number in numbers:
            self._take_scalar(f"{name}.{self._next - self._first}", number)

    def _window(self, name: str, value: Any) -> dict[str, Any]:
        """Address, shape and strides of a tensor, and its allocation among the regions."""
        if isinstance(value, int):
            return self._bare(name, value)
        tensor = value if hasattr(value, "untyped_storage") else getattr(value, "base", value)
        region = region_of(tensor, self._on_host)
        if region is not None:
            region.is_unwritten = self._on_host and _is_unwritten(tensor, region)
            shape, strides = [int(n) for n in tensor.shape], [int(n) for n in tensor.stride()]
            address = int(value.data_ptr())
            if 0 in shape and not region.begin <= address <= region.end:  # torch gives views without elements the address 0
                region = Region(address, address, lambda: b"")
            self.found.regions.append(region)
            return {"address": address, "shape": shape, "strides": strides}
        if hasattr(value, "__array_interface__") and self._on_host:
            return self._array(value)
        if hasattr(value, "data_ptr"):
            return self._bare(name, int(value.data_ptr()))
        raise CannotRecord(f"argument {name} of type {type(value).__name__} is not known")

    def _array(self, value: Any) -> dict[str, Any]:
        import numpy as np

        array = np.asarray(value)
        begin, end = (np.lib.array_utils if hasattr(np.lib, "array_utils") else np).byte_bounds(array)
        self.found.regions.append(Region(begin, end, _read_host(begin, end - begin)))
        address = array.__array_interface__["data"][0]
        strides = [stride // array.itemsize for stride in array.strides]
        return {"address": address, "shape": list(array.shape), "strides": strides}

    def _bare(self, name: str, address: int) -> dict[str, Any]:
        """A number that is an address: it covers its whole allocation, which "shape": null marks."""
        for region in live_regions(self._on_host):
            if region.begin <= address < region.end:
                self.found.regions.append(region)
                return {"address": address, "shape": None, "strides": None}
        raise CannotRecord(f"argument {name} is an address outside of every live tensor")


def _shown(value: Any) -> Any:
    """For people: a constant in JSON's form, or its text."""
    value = getattr(value, "value", value)
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int) and abs(value) < 1 << 63:
        return value
    if isinstance(value, float) and value - value == 0:
        return value
    return str(value)[:200]


def collect(names: list[str], signature: list[Any], values: list[Any], types: list[str], on_host: bool) -> Collected:
    """`names`, `signature` (Triton's type strings) and `values` of all arguments; `types`: parameter_types()."""
    collector = _Collector(types, on_host)
    for name, one, value in zip(names, signature, values, strict=True):
        collector.take(name, one, value)
    if not collector.is_complete():
        raise CannotRecord("the kernel has more parameters than the launch has arguments")
    return collector.found


def merge(regions: list[Region]) -> list[Region]:
    """Regions by rising address; overlapping ones are joined. Empty ones stay separate, one for each address."""
    merged: list[Region] = []
    for region in sorted(regions, key=lambda one: (one.begin, -one.end)):
        if merged and (region.begin < merged[-1].end or region.begin == merged[-1].begin):
            if region.end <= merged[-1].end:
                continue
            merged[-1] = _joined(merged[-1], region)
        else:
            merged.append(region)
    return merged


def _joined(first: Region, second: Region) -> Region:
    def read() -> bytes:
        return first.read()[: second.begin - first.begin] + second.read()

    return Region(first.begin, second.end, read)


def place(arguments: list[dict[str, Any]], regions: list[Region]) -> None:
    """Turns each "address" into "storage" and "offset" (bytes) among the merged regions."""
    for argument in arguments:
        if "address" not in argument:
            continue
        address = argument.pop("address")
        for number, region in enumerate(regions):
            if region.begin <= address <= region.end:
                argument["storage"], argument["offset"] = number, address - region.begin
                if address < region.end or region.begin == region.end:
                    break
        if "storage" not in argument:
            raise CannotRecord(f"argument {argument['name']} lies outside of its own storage")
        if argument["shape"] is None:
            _fill_bare(argument, regions[argument["storage"]])


def _fill_bare(argument: dict[str, Any], region: Region) -> None:
    sizes = {"1": 1, "8": 1, "16": 2, "32": 4, "64": 8}
    width = re.sub(r"^(bf|f8|[iuf])", "", argument["type"])
    size = 1 if argument["type"].startswith("f8") else sizes[width]
    argument["shape"], argument["strides"] = [(region.end - region.begin - argument["offset"]) // size], [1]


def find_addresses(content: bytes, regions: list[Region]) -> list[tuple[int, int, int]]:
    """(offset, region, offset in it) of every aligned 64-bit word that is an address in a region (by rising address)."""
    found = []
    begins = [region.begin for region in regions]
    words = struct.iter_unpack("<Q", content[: len(content) // 8 * 8])
    for offset, (word,) in enumerate(words):
        number = bisect.bisect_right(begins, word) - 1
        if number >= 0 and begins[number] != 0 and word < regions[number].end:
            found.append((8 * offset, number, word - begins[number]))
    return found
