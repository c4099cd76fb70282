"""Tiles made in every way that Lockstep may hold differently: loaded, transposed, broadcast, splat, ranges, comparisons.

`Kernel` collects lines, parameters and arrays of one case; `Kernel.make` gives a tile of a form, type and shape and knows its values. Tensors
are read and written as one row; tt.reshape gives them their shape. A tile of pointers (element "ptr") points into an i32 tensor; its values are
places in that tensor, and to store it is to store what it points to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from support import elements, values
from support.case import Case, In, Out
from support.kernels import memory_type, module, tile

#: Every element type that a tile may have; FNUZ types are AMD's.
ALL = ["i1", "i8", "i16", "i32", "i64", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "f16", "bf16", "f32", "f64", "ptr"]
SHAPES = [(1,), (64,), (1, 1), (1, 16), (8, 1), (4, 16), (2, 1, 8), (2, 4, 1, 8), (2, 2, 2, 2, 4)]
POINTEE, TABLE = "i32", 512
INDEXES = ["contiguous", "columns", "spread", "reversed", "repeated", "one", "scattered"]
NO_GPU = {"f8E4M3FNUZ": "an AMD type", "f8E5M2FNUZ": "an AMD type"}


def element_text(element: str) -> str:
    return f"!tt.ptr<{POINTEE}>" if element == "ptr" else element


def type_text(element: str, shape: tuple[int, ...]) -> str:
    return tile(element_text(element), shape)


def dtype_of(element: str) -> np.dtype:
    return elements.DTYPE["i64" if element == "ptr" else element]


def count_of(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape, dtype=np.int64))


def table() -> np.ndarray:
    return (np.arange(TABLE, dtype=np.int32) * 7919) ^ 0x5A5A


@dataclass(frozen=True)
class Tile:
    name: str  # with %
    element: str
    values: np.ndarray  # their shape is the tile's

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    def type(self) -> str:
        return type_text(self.element, self.shape)


class Kernel:
    """One case in the making."""

    def __init__(self, seed: int = 1):
        self.lines: list[str] = []
        self.parameters: list[str] = []
        self.arguments: list = []
        self.expected: list[np.ndarray] = []
        self.seed = seed
        self.count = 0
        self.has_table = False
        self.functions = ""

    def name(self, stem: str = "v") -> str:
        self.count += 1
        return f"%{stem}{self.count}"

    def add(self, text: str, element: str, result: np.ndarray) -> Tile:
        """A line that makes a tile."""
        made = Tile(self.name(), element, np.asarray(result))
        self.lines.append(f"{made.name} = {text}")
        return made

    # ---- sources ----

    def input(self, array: np.ndarray, element: str | None = None) -> str:
        """A parameter for an array; its name."""
        name = self.name("in")
        self.parameters.append(f"{name}: !tt.ptr<{memory_type(element or elements.name_of(array.dtype))}>")
        self.arguments.append(In(array))
        return name

    def range(self, count: int, start: int = 0) -> Tile:
        text = f"tt.make_range {{end = {start + count} : i32, start = {start} : i32}} : tensor<{count}xi32>"
        return self.add(text, "i32", np.arange(start, start + count, dtype=np.int32))

    def constant(self, element: str, number) -> Tile:
        if element == "i1":
            return self.add(f"arith.constant {str(bool(number)).lower()}", element, np.bool_(number))
        text = f"{float(number):e}" if elements.is_float(element) else str(int(number))
        return self.add(f"arith.constant {text} : {element}", element, dtype_of(element).type(number))

    def splat(self, scalar: Tile, shape: tuple[int, ...]) -> Tile:
        text = f"tt.splat {scalar.name} : {scalar.type()} -> {type_text(scalar.element, shape)}"
        return self.add(text, scalar.element, np.full(shape, scalar.values))

    def reshape(self, x: Tile, shape: tuple[int, ...]) -> Tile:
        if x.shape == shape:
            return x
        return self.add(f"tt.reshape {x.name} : {x.type()} -> {type_text(x.element, shape)}", x.element, x.values.reshape(shape))

    def broadcast(self, x: Tile, shape: tuple[int, ...]) -> Tile:
        if x.shape == shape:
            return x
        return self.add(f"tt.broadcast {x.name} : {x.type()} -> {type_text(x.element, shape)}", x.element, np.broadcast_to(x.values, shape))

    def trans(self, x: Tile, order: list[int]) -> Tile:
        result = x.values.transpose(order)
        text = f"tt.trans {x.name} {{order = array<i32: {', '.join(map(str, order))}>}} : {x.type()} -> {type_text(x.element, result.shape)}"
        return self.add(text, x.element, result)

    def binary(self, op: str, a: Tile, b: Tile, result: np.ndarray) -> Tile:
        return self.add(f"{op} {a.name}, {b.name} : {a.type()}", a.element, result)

    def pointers(self, base: str, element: str, shape: tuple[int, ...], index: Tile) -> str:
        """Addresses base + index of a tensor of `element`; the name of the tile."""
        kind = f"!tt.ptr<{memory_type(element)}>"
        name = self.name("at")
        if shape:
            self.lines.append(f"{name}_base = tt.splat {base} : {kind} -> {tile(kind, shape)}")
            base = f"{name}_base"
        self.lines.append(f"{name} = tt.addptr {base}, {index.name} : {tile(kind, shape)}, {index.type()}")
        return name

    def loaded(self, array: np.ndarray, element: str) -> Tile:
        """A tensor as a tile of one dimension (of none: its first element)."""
        base, count = self.input(array, element), count_of(array.shape)
        shape = () if array.shape == () else (count,)
        index = self.range(count) if shape else self.constant("i32", 0)
        memory = memory_type(element)
        at = self.pointers(base, element, shape, index)
        made = self.add(f"tt.load {at} : {tile(f'!tt.ptr<{memory}>', shape)}", memory, array.reshape(shape))
        if element != "i1":
            return made
        zero = self.add(f"arith.constant {'dense<0>' if shape else '0'} : {tile('i8', shape)}", "i8", made.values)
        return self.add(f"arith.cmpi ne, {made.name}, {zero.name} : {tile('i8', shape)}", "i1", made.values)

    def random(self, element: str, shape: tuple[int, ...]) -> np.ndarray:
        self.seed += 1
        count = max(count_of(shape), 1)
        if element == "ptr":
            return (values.random_bits(count, self.seed) % np.uint64(TABLE)).astype(np.int64).reshape(shape)
        array = values.some(element, count + 48, self.seed)
        start = self.seed * 5 % 48
        return array[start : start + count].reshape(shape)

    def pointed(self, index: Tile) -> Tile:
        """Pointers to places of the table."""
        if not self.has_table:
            self.has_table = True
            self.parameters.append(f"%table: !tt.ptr<{POINTEE}>")
            self.arguments.append(In(table()))
        name = self.pointers("%table", POINTEE, index.shape, index)
        return Tile(name, "ptr", index.values.astype(np.int64))

    def dense(self, element: str, shape: tuple[int, ...]) -> Tile:
        array = self.random(element, shape)
        if element == "ptr":
            return self.pointed(self.reshape(self.loaded(array.astype(np.int32), "i32"), shape))
        made = self.loaded(array, element)
        return self.reshape(made, shape) if shape else made

    def affine(self, shape: tuple[int, ...], factors: list[int] | None = None, start: int = 3) -> Tile:
        """i32: start + sum(factor * index)."""
        total, factors = None, factors or [1, 3, 2, 5, 1]
        for d, extent in enumerate(shape):
            factor = factors[d]
            in_range = total is None and factor == 1
            part = self.range(extent, start if in_range else 0)
            if factor != 1:
                scale = self.splat(self.constant("i32", factor), part.shape)
                part = self.binary("arith.muli", part, scale, (part.values * np.int32(factor)).astype(np.int32))
            part = self.reshape(part, tuple(extent if e == d else 1 for e in range(len(shape))))
            part = self.broadcast(part, shape)
            total = part if total is None else self.binary("arith.addi", total, part, total.values + part.values)
        if start == 0 or factors[0] == 1:
            return total
        return self.binary("arith.addi", total, self.splat(self.constant("i32", start), shape), total.values + np.int32(start))

    def converted(self, x: Tile, element: str) -> Tile:
        """An i32 tile as another integer type."""
        if element == x.element:
            return x
        op = "arith.extsi" if element == "i64" else "arith.trunci"
        return self.add(f"{op} {x.name} : {x.type()} to {type_text(element, x.shape)}", element, x.values.astype(dtype_of(element)))

    def less(self, x: Tile, bound: int) -> Tile:
        limit = self.splat(self.constant(x.element, bound), x.shape)
        return self.add(f"arith.cmpi slt, {x.name}, {limit.name} : {x.type()}", "i1", x.values < bound)

    # ---- forms ----

    def make(self, form: str, element: str, shape: tuple[int, ...]) -> Tile:
        """A tile of one of `forms(element, shape)`."""
        if form == "dense":
            return self.dense(element, shape)
        if form == "uniform":
            return self.splat(self.dense(element, ()), shape)
        if form == "strided":
            return self.trans(self.dense(element, shape[::-1]), list(range(len(shape)))[::-1])
        if form == "broadcast":
            return self.broadcast(self.dense(element, (*shape[:-1], 1)), shape)
        index = self.affine(shape)
        if form == "affine":
            return self.pointed(index) if element == "ptr" else self.converted(index, element)
        assert form == "box" and element == "i1"
        return self.less(index, int(np.sort(index.values.reshape(-1))[index.values.size // 2]) + 1)

    def index(self, form: str, shape: tuple[int, ...], size: int, element: str = "i32") -> Tile:
        """Places in a tensor of `size` elements, as one of INDEXES. Strides are those of the row-major tile unless said."""
        strides = [count_of(shape[d + 1 :]) for d in range(len(shape))]
        if form == "contiguous":
            made = self.affine(shape, strides, 1)
        elif form == "columns":  # the first dimension's neighbours are adjacent
            made = self.affine(shape, [count_of(shape[:d]) for d in range(len(shape))], 1)
        elif form == "spread":
            made = self.affine(shape, [3 * s for s in strides], 2)
        elif form == "reversed":
            made = self.affine(shape, [-s for s in strides], size - 1)
        elif form == "repeated":
            made = self.affine(shape, [0] * (len(shape) - 1) + [1], 5)
        elif form == "one":
            made = self.splat(self.constant("i32", 7), shape)
        else:
            assert form == "scattered"
            self.seed += 1
            array = (values.random_bits(count_of(shape), self.seed) % np.uint64(size)).astype(np.int32)
            made = self.reshape(self.loaded(array, "i32"), shape)
        assert made.values.min() >= 0 and made.values.max() < size, (form, shape)
        return self.converted(made, element)

    # ---- results ----

    def output(self, x: Tile):
        """The tile is an output; its values are what the reference expects."""
        if x.element == "ptr":
            pointee = self.add(f"tt.load {x.name} : {x.type()}", POINTEE, table()[x.values])
            return self.output(pointee)
        name, element = self.name("out"), memory_type(x.element)
        self.parameters.append(f"{name}: !tt.ptr<{element}>")
        self.arguments.append(Out((count_of(x.shape),), x.values.dtype))
        self.expected.append(np.ascontiguousarray(x.values).reshape(-1))
        flat = self.reshape(x, (count_of(x.shape),)) if x.shape else x
        if x.element == "i1":
            flat = self.add(f"arith.extui {flat.name} : {flat.type()} to {type_text('i8', flat.shape)}", "i8", flat.values)
        index = self.range(count_of(x.shape)) if x.shape else self.constant("i32", 0)
        at = self.pointers(name, element, flat.shape, index)
        self.lines.append(f"tt.store {at}, {flat.name} : {tile(f'!tt.ptr<{element}>', flat.shape)}")
        return None

    def case(self, name: str, **options) -> Case:
        """A case whose reference is what the tiles' values are."""
        expected = list(self.expected)
        options.setdefault("reference", lambda inputs: expected)
        text = module(self.parameters, self.lines, functions=self.functions)
        return Case(name, text, self.arguments, **options)


def forms(element: str, shape: tuple[int, ...]) -> list[str]:
    """The forms that a tile of this type and shape can be made in."""
    known = ["dense", "uniform"]
    if len(shape) > 1:
        known.append("strided")
    if shape and shape[-1] > 1:
        known.append("broadcast")
    if shape and element in ("i8", "i16", "i32", "i64", "ptr"):
        known.append("affine")
    if shape and element == "i1":
        known.append("box")
    return known


def shape_text(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape)) if shape else "scalar"


def over_types(apply: Callable[[Kernel, Tile], None], shapes: list[tuple[int, ...]], types: list[str] | None = None):
    """One case per type and shape: `apply(kernel, tile)` adds outputs for a tile of each form."""
    for number, element in enumerate(types or ALL):
        for place, shape in enumerate(shapes):
            kernel = Kernel(1000 * number + 10 * place)
            for form in forms(element, shape):
                apply(kernel, kernel.make(form, element, shape))
            yield kernel.case(f"{element} {shape_text(shape)}", gpu=NO_GPU.get(element, True))
