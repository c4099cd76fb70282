"""Kernels on blocks of strided tensors (block pointers, tensor descriptors), and what they must give, by NumPy's indexing."""

from __future__ import annotations

import itertools

import numpy as np
from support import elements
from support.kernels import tile

#: Elements of descriptors and block pointers.
TYPES = ["i8", "i16", "i32", "i64", "f8E4M3FN", "f8E5M2", "f16", "bf16", "f32", "f64"]


def data(element: str, count: int, seed: int) -> np.ndarray:
    """Bits of every kind, no NaN among floats (their payload may change on the way on a GPU)."""
    dtype = elements.dtype_of(element)
    bits = np.random.Generator(np.random.PCG64(seed)).integers(0, 256, count * dtype.itemsize, np.uint8)
    array = bits.view(dtype).copy()
    if element[0] != "i":
        with np.errstate(all="ignore"):
            array[np.isnan(array.astype(np.float64))] = 1
    return array


class Text:
    """Lines of a kernel; values are numbered."""

    def __init__(self):
        self.lines, self.count = [], 0

    def new(self, line: str) -> str:
        self.count += 1
        self.lines.append(f"%v{self.count} = {line}")
        return f"%v{self.count}"

    def do(self, line: str):
        self.lines.append(line)

    def constant(self, kind: str, number: int) -> str:
        return self.new(f"arith.constant {number} : {kind}")

    def constants(self, kind: str, numbers) -> str:
        return ", ".join(self.constant(kind, int(n)) for n in numbers)

    def places(self, pointer: str, element: str, shape, first: int) -> str:
        """The addresses of a row-major tile that starts at element `first`."""
        count = int(np.prod(shape))
        flat, shaped, kind = tile("i32", (count,)), tile("i32", shape), f"!tt.ptr<{element}>"
        run = self.new(f"tt.make_range {{end = {count} : i32, start = 0 : i32}} : {flat}")
        if len(shape) != 1:
            run = self.new(f"tt.reshape {run} : {flat} -> {shaped}")
        start = self.new(f"tt.addptr {pointer}, {self.constant('i32', first)} : {kind}, i32")
        base = self.new(f"tt.splat {start} : {kind} -> {tile(kind, shape)}")
        return self.new(f"tt.addptr {base}, {run} : {tile(kind, shape)}, {shaped}")

    def put(self, pointer: str, element: str, shape, first: int, value: str):
        at = self.places(pointer, element, shape, first)
        self.do(f"tt.store {at}, {value} : {tile(f'!tt.ptr<{element}>', shape)}")

    def get(self, pointer: str, element: str, shape, first: int) -> str:
        at = self.places(pointer, element, shape, first)
        return self.new(f"tt.load {at} : {tile(f'!tt.ptr<{element}>', shape)}")


def descriptor(text: Text, base: str, element: str, shape, strides, block, padding: str = "", sign: str = "") -> tuple[str, str]:
    """Makes one; its name and its type."""
    kind = f"tensor<{'x'.join(map(str, block))}x{sign}{element}>"
    made = text.new(
        f"tt.make_tensor_descriptor {base}, [{text.constants('i32', shape)}], [{text.constants('i64', strides)}]{padding} : <{element}>, <{kind}>"
    )
    return made, f"!tt.tensordesc<{kind}>"


def each(shape, strides, block, start, checked=None):
    """(index in the block, position in memory or None where outside) for each element; only `checked` dimensions are looked at."""
    checked = range(len(shape)) if checked is None else checked
    for index in itertools.product(*(range(n) for n in block)):
        at = [s + i for s, i in zip(start, index)]
        inside = all(0 <= at[d] < shape[d] for d in checked)
        yield index, sum(a * s for a, s in zip(at, strides)) if inside else None


def read(memory: np.ndarray, shape, strides, block, start, padding=0, checked=None) -> np.ndarray:
    out = np.full(block, padding, memory.dtype)
    for index, place in each(shape, strides, block, start, checked):
        if place is not None:
            out[index] = memory[place]
    return out


def write(memory: np.ndarray, shape, strides, value: np.ndarray, start, checked=None):
    for index, place in each(shape, strides, value.shape, start, checked):
        if place is not None:
            memory[place] = value[index]


#: (shape of the tensor, strides, block, starts): ranks 1 to 5; for elements of 2 bytes, in whose units widths are doubled
#: or halved by `scaled`.
LAYOUTS = [
    ([40], [1], [32], [[0], [8], [32], [-8], [400], [-64]]),
    ([12, 40], [48, 1], [8, 16], [[0, 0], [8, 32], [-3, -8], [11, 24], [3, 40], [-8, 0]]),
    ([3, 6, 24], [192, 32, 1], [2, 4, 16], [[0, 0, 0], [1, 3, 16], [2, -2, -8], [3, 0, 0]]),
    ([2, 3, 4, 16], [192, 64, 16, 1], [1, 2, 2, 8], [[1, 2, 3, 8], [0, -1, 0, 0], [1, 1, 3, 8]]),
    ([2, 2, 3, 3, 16], [320, 160, 48, 16, 1], [2, 1, 2, 2, 16], [[0, 0, 0, 0, 0], [1, 1, 2, 2, 8], [-1, 1, -1, 1, -8]]),
]


def scaled(element: str, layout):
    """The layout with last dimensions that have the same number of bytes for any element."""
    size = elements.dtype_of(element).itemsize
    if size > 2:
        unit = lambda n: n  # wider elements: more bytes do no harm
    else:
        unit = lambda n: n * 2 // size
    shape, strides, block, starts = layout
    last = lambda numbers: [*numbers[:-1], unit(numbers[-1])]
    return last(shape), [unit(s) for s in strides[:-1]] + [1], last(block), [last(s) for s in starts]


def not_before(starts):
    """What may be written: on a GPU a block that starts before the tensor can be read only (LS111)."""
    return [start for start in starts if min(start) >= 0]


def extent(shape, strides) -> int:
    return sum((n - 1) * s for n, s in zip(shape, strides)) + 1
