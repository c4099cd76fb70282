"""A wrong result as a launch: what memory should hold after it, and when a smaller launch is wrong in the same way.

A case that is compared with another launch of itself (grid order, another Triton) stays wrong while the two differ. A
reference in NumPy and recorded bytes only hold for the whole launch: a smaller one must leave the same wrong bytes in an
element that was wrong and that the launch stored; elements that it no longer computes are expected to be as it leaves
them."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lockstep.campaign import references
from lockstep.campaign.problems import Missing
from lockstep.campaign.shrink import capsules

if TYPE_CHECKING:
    from lockstep.campaign.shrink.capsules import Shrunk

_EXACTLY = ("--ulp", "0")
_SIZES = {"f8E4M3FN": 1, "f8E5M2": 1, "f8E4M3FNUZ": 1, "f8E5M2FNUZ": 1, "bf16": 2, "i1": 1}


class AgainstAnother:
    """Compares with the same launch under other options."""

    may_be_zeroed = may_be_simplified = True
    words: Sequence[str] = _EXACTLY

    def __init__(self, options: Mapping[str, Any], others: Mapping[str, Any], by: str) -> None:
        self._options, self._others, self.by = options, {**options, **others}, by
        self._differ: set[int] | None = None  # storages that differed at first

    def expected(self, one: Shrunk) -> list[bytes] | None:
        """The storages with the right numbers; None: the launch is not wrong."""
        ours, theirs = capsules.launched(one, self._options), capsules.launched(one, self._others)
        if ours is None or theirs is None:
            return None
        differ = {number for number, (left, right) in enumerate(zip(ours[1], theirs[1], strict=True)) if left != right}
        self._differ = differ if self._differ is None else self._differ
        return theirs[1] if differ and differ <= self._differ else None


@dataclass
class Wrong:
    """Elements of one storage with wrong numbers."""

    storage: int
    places: Any  # their first bytes, [n]
    wanted: Any  # their bytes as they should be, [n, bytes of an element]

    def bytes_of(self, content: bytes) -> Any:
        numpy = references.numpy_or_missing()
        inside = self.places[:, None] + numpy.arange(self.wanted.shape[1])
        return numpy.frombuffer(content, numpy.uint8)[inside]

    def only(self, mask: Any) -> Wrong:
        return Wrong(self.storage, self.places[mask], self.wanted[mask])


class AgainstKnown:
    """Compares with numbers that are known for the whole launch."""

    may_be_zeroed = False  # of other inputs other numbers would be expected

    def __init__(self, options: Mapping[str, Any], first: Shrunk, after: list[bytes], wrong: list[Wrong], by: str,
                 words: Sequence[str] = _EXACTLY) -> None:  # fmt: skip
        changed = [(one.bytes_of(after[one.storage]) != one.bytes_of(first.before[one.storage])).any(axis=1) for one in wrong]
        stored = [one.only(mask) for one, mask in zip(wrong, changed, strict=True)]
        self.may_be_simplified = any(len(one.places) for one in stored)  # else nothing at all would leave them as they are
        self._wrong = [one for one in (stored if self.may_be_simplified else wrong) if len(one.places)]
        self._seen = [one.bytes_of(after[one.storage]) for one in self._wrong]
        self._options, self.by, self.words = options, by, words

    def expected(self, one: Shrunk) -> list[bytes] | None:
        """The storages with the right numbers; None: the launch is not wrong in the same way."""
        made = capsules.launched(one, self._options)
        if made is None:
            return None
        found = [bytearray(content) for content in made[1]]
        is_wrong = False
        for wrong, seen in zip(self._wrong, self._seen, strict=True):
            same = (wrong.bytes_of(made[1][wrong.storage]) == seen).all(axis=1)
            is_wrong = is_wrong or bool(same.any())
            for place, right in zip(wrong.places[same], wrong.wanted[same], strict=True):
                found[wrong.storage][place : place + len(right)] = right.tobytes()
        return [bytes(content) for content in found] if is_wrong else None


@dataclass
class _Elements:
    """The part of a tensor that references.array_of needs."""

    dtype: str
    shape: Any
    content: bytes

    def bytes(self) -> bytes:
        return self.content


def _places(argument: Mapping[str, Any], size: int) -> Any:
    """The first byte of each element of a view, in its shape."""
    numpy = references.numpy_or_missing()
    places = numpy.full(argument["shape"], argument["offset"], numpy.int64)
    for axis, (extent, stride) in enumerate(zip(argument["shape"], argument["strides"], strict=True)):
        shape = [1] * len(argument["shape"])
        shape[axis] = extent
        places += (numpy.arange(extent, dtype=numpy.int64) * stride * size).reshape(shape)
    return places


def against_reference(one: Shrunk, options: Mapping[str, Any], case: Mapping[str, Any], windows: Mapping[str, Mapping[str, Any]],
                      expected: Mapping[str, Any]) -> AgainstKnown | None:  # fmt: skip
    """expected: what the reference in NumPy says, by tensor; windows: where tensors lie, and their types. None: nothing is
    wrong, or only shapes are."""
    numpy = references.numpy_or_missing()
    made = capsules.launched(one, options)
    wrong: list[Wrong] = []
    tolerance: tuple[float, float] | None = None
    for name, wanted in sorted(expected.items()) if made is not None else []:
        entry = windows.get(name)
        if entry is None or tuple(entry["shape"]) != tuple(numpy.shape(wanted)):
            continue
        dtype = entry["dtype"]
        right = encoded(wanted, dtype)
        places = _places(entry, right.shape[1]).reshape(-1)
        whole = Wrong(entry["storage"], places, right)
        got = whole.bytes_of(made[1][entry["storage"]])  # type: ignore[index]
        own = references.tolerance_of(dtype, case["options"])
        bad = references.outside(_decoded(got, dtype), _decoded(right, dtype), own)
        if bad.any() and tolerance in (None, own):  # one command line has one tolerance
            tolerance = own
            wrong.append(whole.only(bad))
    if made is None or not wrong or tolerance is None:
        return None
    words = ("--rtol", repr(tolerance[0]), "--atol", repr(tolerance[1])) if any(tolerance) else _EXACTLY
    return AgainstKnown(options, one, made[1], wrong, case["reference"], words)


def _decoded(elements: Any, dtype: str) -> Any:
    """The numbers that bytes [n, bytes of one] are."""
    return references.array_of(_Elements(dtype, [len(elements)], elements.tobytes()))


def encoded(values: Any, dtype: str) -> Any:
    """Elements as bytes, [n, bytes of one], rounded to the type as a store does."""
    numpy = references.numpy_or_missing()
    values = numpy.asarray(values).reshape(-1)
    if dtype == "bfloat16":
        bits = values.astype(numpy.float32).view(numpy.uint32)
        rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
        words = numpy.where(numpy.isnan(values.astype(numpy.float32)), 0x7FC0, rounded).astype(numpy.uint16)
    elif dtype.startswith("float8"):
        try:
            import ml_dtypes
        except ImportError:
            raise Missing(f"a reference for {dtype} needs the package ml_dtypes") from None
        words = values.astype(getattr(ml_dtypes, dtype))
    else:
        with numpy.errstate(all="ignore"):
            words = values.astype(dtype)
    return numpy.frombuffer(words.tobytes(), numpy.uint8).reshape(len(values), words.itemsize)


def against_recorded(one: Shrunk, options: Mapping[str, Any], path: str) -> AgainstKnown | None:
    """The bytes that the capsule was recorded with."""
    numpy = references.numpy_or_missing()
    made = capsules.launched(one, options)
    with zipfile.ZipFile(path) as archive:
        told = json.loads(archive.read("manifest.json"))
        recorded = [archive.read((storage.get("after") or storage["before"])["file"]) for storage in told["storages"]]
    wrong = []
    for number, content in enumerate(recorded if made is not None else []):
        argument = next((each for each in one.told["arguments"] if each.get("storage") == number), None)
        if argument is None:
            continue
        size = _size(argument["type"])
        start = argument["offset"] % size
        count = (len(content) - start) // size
        places = start + size * numpy.arange(count)
        right = numpy.frombuffer(content, numpy.uint8)[start : start + count * size].reshape(count, size)
        all_of_it = Wrong(number, places, right)
        bad = (all_of_it.bytes_of(made[1][number]) != right).any(axis=1)  # type: ignore[index]
        if bad.any():
            wrong.append(all_of_it.only(bad))
    return AgainstKnown(options, one, made[1], wrong, "what was recorded") if made is not None and wrong else None


def _size(element: str) -> int:
    return _SIZES[element] if element in _SIZES else int(element[1:]) // 8


def shrunk(one: Shrunk, judge: AgainstAnother | AgainstKnown) -> Shrunk:
    """The smallest launch found that is wrong in the same way, with the right numbers."""
    small = capsules.shrunk(one, lambda other: judge.expected(other) is not None,
                            simpler=judge.may_be_simplified, zeros=judge.may_be_zeroed)  # fmt: skip
    right = judge.expected(small)
    assert right is not None
    return small.with_expected(right, judge.by)


def words_for(one: Shrunk, options: Mapping[str, Any], tolerance: Sequence[str]) -> list[str]:
    """`--expect` for the tensors that differ."""
    made = capsules.launched(one, options)
    assert made is not None and one.expected is not None
    differs = {number for number, (ours, right) in enumerate(zip(made[1], one.expected, strict=True)) if ours != right}
    names = [argument["name"] for argument in one.told["arguments"] if argument.get("storage") in differs]
    return [word for name in names for word in ("--expect", f"{name}=recorded")] + list(tolerance)
