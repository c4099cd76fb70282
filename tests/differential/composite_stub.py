"""What plays the GPU for composite_on_gpu.py where there is none: runs a random kernel's Python source on NumPy arrays, with
brackets drawn at random around everything that a scan or reduction combines, elements of a reduction in any order, and
products contracted into additions or not. Each answer is one that a GPU may give: it must lie inside.

Not here: Triton's language beyond what tests/differential/random/composite_source.cpp writes.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from types import SimpleNamespace

import ml_dtypes
import numpy as np

TYPES = {
    "*fp32": np.float32,
    "*fp64": np.float64,
    "*fp16": np.float16,
    "*bf16": ml_dtypes.bfloat16,
    "*i32": np.int32,
}


class Value:
    """A tile; of a product of f32 the exact one as well, which an addition may take instead."""

    def __init__(self, array, exact=None) -> None:
        self.array, self.exact = np.asarray(array), exact

    def is_float(self) -> bool:
        return self.array.dtype != np.int32 and self.array.dtype != np.bool_

    def made(self, wide):
        """Rounded once from f32, for the 16-bit types; else as NumPy computed it."""
        return Value(np.asarray(wide).astype(self.array.dtype))

    def other(self, value):
        if isinstance(value, Value):
            return value
        return Value(np.asarray(value, dtype=self.array.dtype))

    def wide(self):
        narrow = self.is_float() and self.array.dtype.itemsize == 2
        return self.array.astype(np.float32) if narrow else self.array

    def __mul__(self, value):
        value = self.other(value)
        made = self.made(self.wide() * value.wide())
        if self.array.dtype == np.float32:
            made.exact = self.array.astype(np.float64) * value.array.astype(np.float64)
        return made

    def add(self, value, sign):
        value = self.other(value)
        for one, other, signs in ((self, value, (1, sign)), (value, self, (sign, 1))):
            if one.exact is not None and random.random() < 0.5:
                return self.made(signs[0] * one.exact + signs[1] * other.array.astype(np.float64))
        return self.made(self.wide() + value.wide() if sign > 0 else self.wide() - value.wide())

    def __add__(self, value):
        return self.add(value, 1)

    def __sub__(self, value):
        return self.add(value, -1)

    def __truediv__(self, value):
        return self.made(self.wide() / self.other(value).wide())

    def __or__(self, value):
        return Value(self.array | self.other(value).array)

    def __and__(self, value):
        return Value(self.array & self.other(value).array)

    def __xor__(self, value):
        return Value(self.array ^ self.other(value).array)

    def __lt__(self, value):
        return Value(self.array < self.other(value).array)

    def __gt__(self, value):
        return Value(self.array > self.other(value).array)

    def __ge__(self, value):
        return Value(self.array >= self.other(value).array)

    def __eq__(self, value):
        return Value(self.array == self.other(value).array)

    def __ne__(self, value):
        return Value(self.array != self.other(value).array)

    __rmul__, __radd__ = __mul__, __add__

    def __getitem__(self, at):
        return Value(self.array[at], None if self.exact is None else self.exact[at])


class Pointer:
    def __init__(self, memory, at=0) -> None:
        self.memory, self.at = memory, at

    def __add__(self, by):
        return Pointer(self.memory, self.at + (by.array if isinstance(by, Value) else by))


def joined(parts, axis):
    has_exact = all(part.exact is not None for part in parts)
    exact = np.concatenate([part.exact for part in parts], axis) if has_exact else None
    return Value(np.concatenate([part.array for part in parts], axis), exact)


class Language:
    """What stands behind `tl`, for one program."""

    def __init__(self, program: int) -> None:
        self.program = program

    def program_id(self, _):
        return self.program

    def arange(self, first, end):
        return Value(np.arange(first, end, dtype=np.int32))

    def load(self, pointer, mask=None, other=0):
        at = np.asarray(pointer.at)
        on = np.broadcast_to(True if mask is None else mask.array, at.shape)
        found = pointer.memory[np.where(on, at, 0)]
        other = np.float32(other) if isinstance(other, float) else other  # as tl.load takes a constant
        return Value(np.where(on, found, np.asarray(other).astype(found.dtype)))

    def store(self, pointer, value):
        pointer.memory[np.asarray(pointer.at)] = value.array

    def where(self, condition, a, b):
        a, b = (a, b) if isinstance(a, Value) else (b.other(a), b)
        b = a.other(b)
        made = Value(np.where(condition.array, a.array, b.array))
        if a.exact is not None and b.exact is not None:
            made.exact = np.where(condition.array, a.exact, b.exact)
        return made

    def maximum(self, a, b):
        return Value(np.fmax(a.array, b.array))

    def exp(self, x):
        return x.made(np.exp(x.array.astype(np.float64)))

    def log(self, x):
        return x.made(np.log(x.array.astype(np.float64)))

    def sqrt(self, x):
        return x.made(np.sqrt(x.array))

    def reduce(self, values, axis, combine):
        parts = values if isinstance(values, tuple) else (values,)
        order = np.random.permutation(parts[0].array.shape[axis])
        leaves = [tuple(Value(np.take(part.array, int(k), axis)) for part in parts) for k in order]
        made = self.fold(leaves, combine)
        return made if isinstance(values, tuple) else made[0]

    def fold(self, leaves, combine):
        if len(leaves) == 1:
            return leaves[0]
        split = drawn_split(len(leaves))
        return apply(combine, self.fold(leaves[:split], combine), self.fold(leaves[split:], combine))

    def associative_scan(self, values, axis, combine, reverse=False):
        parts = values if isinstance(values, tuple) else (values,)
        turned = [Value(np.flip(part.array, axis)) if reverse else part for part in parts]
        made = self.scan([part[(slice(None),) * axis + (slice(None),)] for part in turned], axis, combine)
        made = [Value(np.flip(m.array, axis), None if m.exact is None else np.flip(m.exact, axis)) if reverse else m for m in made]
        return tuple(made) if isinstance(values, tuple) else made[0]

    def scan(self, parts, axis, combine):
        """Both halves, the last of the first one combined with each of the second."""
        length = parts[0].array.shape[axis]
        if length == 1:
            return parts
        split, lead = drawn_split(length), (slice(None),) * axis
        first = self.scan([part[(*lead, slice(0, split))] for part in parts], axis, combine)
        second = self.scan([part[(*lead, slice(split, length))] for part in parts], axis, combine)
        last = tuple(part[(*lead, slice(split - 1, split))] for part in first)
        second = apply(combine, last, tuple(second))
        return [joined([a, b], axis) for a, b in zip(first, second)]


def drawn_split(length: int) -> int:
    return random.choice([1, length // 2, length - 1, random.randrange(1, length)]) if length < 64 else length // random.choice([2, 2, 4])


def apply(combine, left, right):
    made = combine(*left, *right)
    return made if isinstance(made, tuple) else (made,)


class StandIn:
    def launch(self, described: Path) -> bytes:
        launch = json.loads(described.read_text())
        source = described.with_suffix(".py").read_text().split("\n\n\n", 1)[1]
        data, at, memories = described.with_suffix(".in").read_bytes(), 0, []
        random.seed(described.stem)
        np.random.seed(random.randrange(1 << 31))
        for parameter in launch["parameters"]:
            memories.append(np.frombuffer(bytearray(data[at : at + parameter["bytes"]]), TYPES[parameter["type"]]))
            at += parameter["bytes"]
        with np.errstate(all="ignore"):
            for program in range(launch["grid"][0]):
                names = {"triton": SimpleNamespace(jit=lambda function: function), "tl": Language(program)}
                exec(source, names)  # written by random_kernels a moment ago
                names["kernel"](*[Pointer(memory) for memory in memories])
        return b"".join(memory.tobytes() for memory in memories)
