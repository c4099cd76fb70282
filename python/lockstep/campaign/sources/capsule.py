"""Cases of recorded launches: a capsule (docs/capsules.md) launched again with other numbers, schedules, options.

What a variation may change without breaking the contract between kernel and caller is decided here: integers, sizes,
strides and aliasing stay as recorded; floats of a storage that holds one float type only are moved, scaled or replaced.
Memory begins at addresses that 512 divides, as on a GPU, so that alignment is what the launch had."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import struct
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lockstep import report
from lockstep.campaign import recorded
from lockstep.campaign.sources import Needs, Outcome, Refused
from lockstep.campaign.sources.chosen import SHARE, fraction, launched
from lockstep.campaign.tables import Key

if TYPE_CHECKING:
    from lockstep.campaign.plan import Entry
    from lockstep.campaign.sources import Context

KEYS = {
    "path": Key((str,), "a capsule, or a folder of capsules at any depth", is_required=True),
    "select": Key((str,), "a regular expression that must match a part of a file's name"),
    "share": SHARE,
    "max_bytes": Key((int,), "bytes of memory; larger launches are left out"),
}
REFERENCES = ("none", "recorded", "enclosure", "schedule0", "triton")
WITHOUT = {"config": "a recorded launch was compiled with one configuration", "autotune": "a recorded launch is not tuned"}

_ALIGNMENT = 512
_NAMES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "i1": "bool", "f8E4M3FN": "float8_e4m3fn",
          "f8E5M2": "float8_e5m2", "f8E4M3FNUZ": "float8_e4m3fnuz", "f8E5M2FNUZ": "float8_e5m2fnuz",
          "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16", "u32": "uint32",
          "u64": "uint64"}  # fmt: skip
_SCALARS = {"f16": "<e", "f32": "<f", "f64": "<d"}
_BITS = {"f16": ("<u2", 0x8000), "bf16": ("<u2", 0x8000), "f32": ("<u4", 0x80000000), "f64": ("<u8", 1 << 63)}
VALUES = ("recorded", "shuffled", "zeros", "negated", "positive", "halved")


# ---- the plan's side ----


def _files(path: str) -> list[str]:
    if os.path.isfile(path):
        return [path]
    found = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names if name.endswith(".capsule")]
    return sorted(found)


def points(entry: Entry) -> Iterator[dict[str, Any]]:
    """Every capsule times the axes."""
    values, root = entry.values, str(entry.plan.root)
    try:
        pattern = re.compile(values.get("select", ""))
    except re.error as error:
        entry.wrong("select", f"`select` is not a regular expression: {error}")
    files = [file for file in _files(os.path.join(root, values["path"])) if pattern.search(file)]
    files = [file for file in files if fraction(os.path.basename(file)) < values.get("share", 1.0)]
    if "max_bytes" in values:
        files = [file for file in files if _size(file) <= values["max_bytes"]]
    if not files:
        entry.wrong("path", f"there is no capsule to run in {values['path']}")
    yield from entry.points({"capsule": [os.path.relpath(file, root) for file in files]})


def _size(file: str) -> int:
    with zipfile.ZipFile(file) as archive:
        return sum(one.file_size for one in archive.infolist() if one.filename.startswith("before/"))


@functools.lru_cache(maxsize=8)
def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def source(entry: Entry, point: dict[str, Any]) -> dict[str, Any]:
    """Takes the capsule out of the point; only the axes vary."""
    name = point.pop("capsule")
    return {"path": name, "sha256": _digest(os.path.join(str(entry.plan.root), name))}


# ---- the worker's side ----


def close() -> None:
    """Ends the judge of recorded launches."""
    recorded.close()


class _Storage:
    """The part of a tensor's storage that the engine asks for."""

    def __init__(self, content: bytes | bytearray) -> None:
        import numpy

        room = numpy.zeros(len(content) + _ALIGNMENT, numpy.uint8)
        begin = -room.ctypes.data % _ALIGNMENT
        self.bytes = room[begin : begin + len(content)]
        self.bytes[:] = numpy.frombuffer(content, numpy.uint8)

    def data_ptr(self) -> int:
        return int(self.bytes.ctypes.data)

    def nbytes(self) -> int:
        return len(self.bytes)


@dataclass
class _View:
    """A tensor for the engine: a window on a storage, of any type that kernels know."""

    memory: _Storage
    offset: int
    dtype: str
    shape: list[int]
    strides: list[int]

    def data_ptr(self) -> int:
        return self.memory.data_ptr() + self.offset

    def stride(self) -> list[int]:
        return self.strides

    def untyped_storage(self) -> _Storage:
        return self.memory


@dataclass
class _Descriptor:
    base: _View
    shape: list[int]
    strides: list[int]
    block_shape: list[int]
    padding: str


class Capsule:
    """One file, read once: its manifest, TTIR and memory before the launch."""

    def __init__(self, path: str) -> None:
        with zipfile.ZipFile(path) as archive:
            self.told: dict[str, Any] = json.loads(archive.read("manifest.json"))
            self.ttir = archive.read(self.told["ttir"]["file"])
            self.before = [archive.read(one["before"]["file"]) for one in self.told["storages"]]

    def floats(self, number: int) -> str:
        """The float type of storage `number`, if all of its arguments have that one; else ""."""
        kinds = {one["type"] for one in self.told["arguments"] if one.get("storage") == number}
        one = kinds.pop() if len(kinds) == 1 else ""
        return one if one in _BITS and not self.told["storages"][number].get("addresses") else ""

    @functools.lru_cache(maxsize=16)  # noqa: B019 (capsules live in the small cache of read())
    def kernel(self, num_warps: int, num_stages: int, target: str) -> Any:
        """The planned kernel."""
        from lockstep import _native, errors

        options = self.told["options"]
        try:
            module = _native.Module.from_ttir(
                self.ttir, self.told["kernel"], target=target, num_warps=num_warps, num_stages=num_stages,
                fp_fusion=bool(options.get("fp_fusion")), debug=bool(options.get("debug")),
            )  # fmt: skip
            return module.kernel(self.told["kernel"], self.told.get("constants", {}))
        except _native.CompileError as error:
            raise errors.from_compile_error(error) from None


@functools.lru_cache(maxsize=64)
def read(path: str) -> Capsule:
    return Capsule(path)


def varied(content: bytes, kind: str, how: str, seed: int) -> bytes:
    """A storage of floats of this type with other numbers."""
    import numpy

    letters, sign = _BITS[kind]
    words = numpy.frombuffer(content[: len(content) // int(letters[2]) * int(letters[2])], letters).copy()
    if how == "zeros":
        words[:] = 0
    elif how == "negated":
        words ^= words.dtype.type(sign)
    elif how == "positive":
        words &= words.dtype.type(sign - 1)
    elif how == "halved":
        words = _halved(words, kind)
    elif how == "shuffled":
        numpy.random.default_rng(seed).shuffle(words)
    return bytes(words.tobytes() + content[words.nbytes :])


def _halved(words: Any, kind: str) -> Any:
    """Half of every normal number that stays normal: the exponent less one."""
    bits = {"f16": (10, 0x1F), "bf16": (7, 0xFF), "f32": (23, 0xFF), "f64": (52, 0x7FF)}[kind]
    exponent = (words >> words.dtype.type(bits[0])) & words.dtype.type(bits[1])
    fits = (exponent > 1) & (exponent < bits[1])
    words[fits] -= words.dtype.type(1 << bits[0])
    return words


def _scalar(argument: Mapping[str, Any]) -> Any:
    bits, kind = int(argument["bits"], 16), argument["type"]
    if kind in _SCALARS:
        form = _SCALARS[kind]
        return struct.unpack(form, bits.to_bytes(struct.calcsize(form), "little"))[0]
    if kind == "bf16":
        return struct.unpack("<f", (bits << 16).to_bytes(4, "little"))[0]
    width = int(kind[1:])
    return bits - (1 << width) if kind[0] == "i" and width > 1 and bits >> (width - 1) else bits


def argument_of(argument: Mapping[str, Any], memory: Sequence[_Storage]) -> Any:
    """The engine's argument for one entry of the manifest's `arguments`."""
    if argument["kind"] == "scalar":
        return _scalar(argument)
    if argument.get("storage") is None:
        return None
    view = _View(memory[argument["storage"]], argument["offset"], _NAMES[argument["type"]], argument["shape"], argument["strides"])
    if argument["kind"] == "pointer":
        return view
    return _Descriptor(view, argument["shape"], argument["strides"], [1] * len(argument["shape"]), argument.get("padding", "zero"))


def memory_of(told: Mapping[str, Any], before: Sequence[bytes]) -> list[_Storage]:
    """Storages with this content; addresses in them become those of the new storages."""
    memory = [_Storage(content) for content in before]
    for number, storage in enumerate(told["storages"]):
        for offset, other, inside in storage.get("addresses", []):
            address = memory[other].data_ptr() + inside
            memory[number].bytes[offset : offset + 8] = list(address.to_bytes(8, "little"))
    return memory


def content_of(capsule: Capsule, vary: Mapping[str, Any]) -> list[bytes]:
    """The storages before the launch, as the axes `values` and `seed` make them."""
    how, seed = vary.get("values", "recorded"), vary.get("seed", 0)
    if how not in VALUES:
        raise Refused(f"there are no values {how!r}; there are {', '.join(VALUES)}")
    kinds = [capsule.floats(number) for number in range(len(capsule.before))]
    return [varied(content, kind, how, seed + number) if kind and how != "recorded" else content
            for number, (content, kind) in enumerate(zip(capsule.before, kinds, strict=True))]  # fmt: skip


def needs(case: Mapping[str, Any], root: Path) -> Needs:
    """The capsule file, which holds the compiled kernel."""
    return Needs((os.path.join(root, case["source"]["path"]),))


def run(case: dict[str, Any], context: Context) -> Outcome:
    """Launches the capsule as the case varies it; the outputs are the storages that the launch changed."""
    given, vary, options = case["source"], case["vary"], case["options"]
    path = os.path.join(str(context.root), given["path"])
    capsule = read(path)
    if any(storage.get("addresses") for storage in capsule.told["storages"]):
        raise Refused("the launch follows addresses that it loads")
    target = capsule.told["target"]
    kernel = capsule.kernel(
        options.get("num_warps", target.get("num_warps", 4)),
        options.get("num_stages", target.get("num_stages", 3)),
        options.get("target", target["arch"]),
    )
    memory = memory_of(capsule.told, content_of(capsule, vary))
    before = [bytes(one.bytes) for one in memory]
    arguments = [argument_of(one, memory) for one in capsule.told["arguments"]]
    made = kernel.launch(capsule.told["grid"], arguments, [one["name"] for one in capsule.told["arguments"]])
    outputs: dict[str, bytes | str] = {}
    for number, (old, storage) in enumerate(zip(before, memory, strict=True)):
        if old != bytes(storage.bytes):
            names = [one["name"] for one in capsule.told["arguments"] if one.get("storage") == number]
            outputs["+".join(names)] = bytes(storage.bytes)
    report.handle(made)
    outcome = Outcome(outputs=outputs, coverage=launched([made]))
    if case["reference"] in ("recorded", "enclosure"):
        recorded.judge(case["reference"], path, case, capsule.told, [bytes(one.bytes) for one in memory], context.seconds, outcome)
    return outcome
