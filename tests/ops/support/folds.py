"""Reductions and scans: kernels with a region of one op, and of several operands, and what they give.

S-40: a reduction combines element i with element i + n / 2, then the first half likewise. S-41: a scan goes element by element. The cases for
a GPU have operands whose results do not depend on the order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from support import elements, extremes, references, tiles, values

SHAPES = [((1,), 0), ((64,), 0), ((1, 16), 1), ((8, 1), 0), ((4, 16), 0), ((4, 16), 1), ((2, 4, 8), 1), ((2, 1, 4, 8), 3), ((2, 2, 4, 2, 4), 2)]


def on_bits(function: Callable, is_signed: bool = False) -> Callable:
    """Python's integers, wrapped to the type."""

    def combine(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        element = elements.name_of(a.dtype)
        return references.on_integers(function, element, is_signed)(a, b).reshape(a.shape)

    return combine


def rounded(function: Callable) -> Callable:
    def combine(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return references.once_rounded(function, elements.name_of(a.dtype))(a, b)

    return combine


INTEGER_OPS = {
    "arith.addi": on_bits(lambda a, b: a + b),
    "arith.muli": on_bits(lambda a, b: a * b),
    "arith.andi": on_bits(lambda a, b: a & b),
    "arith.ori": on_bits(lambda a, b: a | b),
    "arith.xori": on_bits(lambda a, b: a ^ b),
    "arith.minsi": on_bits(min, True),
    "arith.maxsi": on_bits(max, True),
    "arith.minui": on_bits(min),
    "arith.maxui": on_bits(max),
}
FLOAT_OPS = {
    "arith.addf": rounded(np.add),
    "arith.mulf": rounded(np.multiply),
    "arith.minnumf": extremes.smallest_number,
    "arith.maxnumf": extremes.largest_number,
    "arith.minimumf": extremes.smallest_or_nan,
    "arith.maximumf": extremes.largest_or_nan,
}
IN_ANY_ORDER = {"arith.minimumf", "arith.maximumf", "arith.minnumf", "arith.maxnumf"}


def halved(columns: list[np.ndarray], axis: int, combine: Callable) -> list[np.ndarray]:
    """`combine(left values, right values)`, lists of arrays; the axis is gone in the result."""
    rows = [np.moveaxis(column, axis, 0) for column in columns]
    while len(rows[0]) > 1:
        half = len(rows[0]) // 2
        rows = combine([row[:half] for row in rows], [row[half:] for row in rows])
    return [row[0] for row in rows]


def scanned(columns: list[np.ndarray], axis: int, combine: Callable, reverse: bool) -> list[np.ndarray]:
    rows = [np.moveaxis(column, axis, 0) for column in columns]
    rows = [row[::-1] for row in rows] if reverse else rows
    made = [[row[0]] for row in rows]
    for i in range(1, len(rows[0])):
        following = combine([row[-1] for row in made], [row[i] for row in rows])
        for row, value in zip(made, following):
            row.append(value)
    stacked = [np.stack(row[::-1] if reverse else row) for row in made]
    return [np.moveaxis(row, 0, axis) for row in stacked]


def add(kernel: tiles.Kernel, sources: list[tiles.Tile], axis: int, region: list[str], combine: Callable, reverse: bool | None = None):
    """A tt.reduce (reverse None) or tt.scan; `region`: lines on %a0.. and %b0.. that define %c0... Its results are outputs."""
    name = "reduce" if reverse is None else "scan"
    kinds = [tiles.element_text(x.element) for x in sources]
    columns = [x.values for x in sources]
    results = halved(columns, axis, combine) if reverse is None else scanned(columns, axis, combine, reverse)
    made = [tiles.Tile(kernel.name("f"), x.element, np.asarray(result)) for x, result in zip(sources, results)]
    arguments = ", ".join([f"%a{i}: {kind}" for i, kind in enumerate(kinds)] + [f"%b{i}: {kind}" for i, kind in enumerate(kinds)])
    head = made[0].name if len(made) == 1 else f"{made[0].name}:{len(made)}"
    attributes = f"axis = {axis} : i32" + ("" if reverse is None else f", reverse = {str(reverse).lower()}")
    kernel.lines.append(f'{head} = "tt.{name}"({", ".join(x.name for x in sources)}) <{{{attributes}}}> ({{')
    kernel.lines.append(f"^bb0({arguments}):")
    kernel.lines += ["  " + line for line in region]
    returned = ", ".join(f"%c{i}" for i in range(len(made)))
    kernel.lines.append(f"  tt.{name}.return {returned} : {', '.join(kinds)}")
    types = [x.type() for x in made]
    result = types[0] if len(types) == 1 else f"({', '.join(types)})"
    kernel.lines.append(f"}}) : ({', '.join(x.type() for x in sources)}) -> {result}")
    for i, x in enumerate(made):
        kernel.output(x if len(made) == 1 else tiles.Tile(f"{made[0].name}#{i}", x.element, x.values))


def one(function: Callable) -> Callable:
    return lambda a, b: [function(a[0], b[0])]


def exact_floats(kernel: tiles.Kernel, element: str, shape, op: str) -> tiles.Tile:
    """Numbers whose sums and products are exact in every order; any numbers for extremes."""
    if op in IN_ANY_ORDER:
        return kernel.dense(element, shape)
    kernel.seed += 1
    raw = values.random_bits(tiles.count_of(shape), kernel.seed)
    small = (raw % np.uint64(3)).astype(np.float64) - 1 if op == "arith.addf" else np.where(raw % np.uint64(2), -1.0, 1.0)
    return kernel.reshape(kernel.loaded(small.astype(elements.DTYPE[element]).reshape(-1), element), shape)


def directions(is_scan: bool) -> list[bool | None]:
    return [False, True] if is_scan else [None]


def integers(is_scan: bool):
    for number, element in enumerate(elements.INTEGERS):
        for place, (shape, axis) in enumerate(SHAPES):
            if element in ("i1", "i16", "i64") and place % 2:
                continue
            kernel = tiles.Kernel(100 * number + place)
            ops = INTEGER_OPS if element != "i1" else {op: INTEGER_OPS[op] for op in ("arith.andi", "arith.ori", "arith.xori")}
            for form in tiles.forms(element, shape):
                x = kernel.make(form, element, shape)
                for op, function in ops.items() if form == "dense" else list(ops.items())[:2]:
                    for reverse in directions(is_scan):
                        add(kernel, [x], axis, [f"%c0 = {op} %a0, %b0 : {element}"], one(function), reverse)
            yield kernel.case(f"{element} {tiles.shape_text(shape)} along {axis}")


def floats(is_scan: bool):
    for number, element in enumerate(elements.FLOATS):
        for place, (shape, axis) in enumerate(SHAPES):
            if element != "f32" and place % 2 == number % 2:
                continue
            kernel = tiles.Kernel(1000 + 100 * number + place)
            for op, function in FLOAT_OPS.items():
                x = exact_floats(kernel, element, shape, op)
                for reverse in directions(is_scan):
                    add(kernel, [x], axis, [f"%c0 = {op} %a0, %b0 : {element}"], one(function), reverse)
            yield kernel.case(f"{element} {tiles.shape_text(shape)} along {axis}")


ARGMAX = [
    "%equal = arith.cmpf oeq, %a0, %b0 : f32",
    "%first = arith.cmpi slt, %a1, %b1 : i32",
    "%tie = arith.andi %equal, %first : i1",
    "%more = arith.cmpf ogt, %a0, %b0 : f32",
    "%left = arith.ori %more, %tie : i1",
    "%c0 = arith.select %left, %a0, %b0 : f32",
    "%c1 = arith.select %left, %a1, %b1 : i32",
]


def argmax(a, b):
    left = (a[0] > b[0]) | ((a[0] == b[0]) & (a[1] < b[1]))
    return [np.where(left, a[0], b[0]), np.where(left, a[1], b[1])]


AFFINE = ["%c0 = arith.muli %a0, %b0 : i32", "%0 = arith.muli %a1, %b0 : i32", "%c1 = arith.addi %0, %b1 : i32"]


def affine(a, b):
    with np.errstate(all="ignore"):
        return [a[0] * b[0], a[1] * b[0] + b[1]]


def pairs(is_scan: bool):
    """Two operands: the place of the largest, and maps x -> p x + q one after the other."""
    for place, (shape, axis) in enumerate(SHAPES):
        kernel = tiles.Kernel(5000 + place)
        for reverse in directions(is_scan):
            x = exact_floats(kernel, "f32", shape, "arith.addf")  # with ties
            add(kernel, [x, kernel.affine(shape)], axis, ARGMAX, argmax, reverse)
        yield kernel.case(f"argmax {tiles.shape_text(shape)} along {axis}")
    for place, (shape, axis) in enumerate(SHAPES):
        kernel = tiles.Kernel(6000 + place)
        for reverse in directions(is_scan):
            add(kernel, [kernel.dense("i32", shape), kernel.dense("i32", shape)], axis, AFFINE, affine, reverse)
        gpu = "a reduction's order on a GPU is its layout's" if not is_scan and shape[axis] > 1 else True
        yield kernel.case(f"maps {tiles.shape_text(shape)} along {axis}", gpu=gpu)


def in_order(is_scan: bool):
    """A region whose result depends on the order: S-40, S-41."""
    region = ["%two = arith.constant 2 : i32", "%0 = arith.muli %a0, %two : i32", "%c0 = arith.addi %0, %b0 : i32"]

    def combine(a, b):
        with np.errstate(all="ignore"):
            return [a[0] * np.int32(2) + b[0]]

    kernel = tiles.Kernel(7000)
    for shape, axis in SHAPES:
        for reverse in directions(is_scan):
            add(kernel, [kernel.dense("i32", shape)], axis, region, combine, reverse)
    yield kernel.case("in order", gpu="the order on a GPU is its layout's")
    kernel = tiles.Kernel(7100)
    for shape, axis in SHAPES:
        for reverse in directions(is_scan):
            x = kernel.loaded(values.moderate_floats("f32", tiles.count_of(shape), 9), "f32")
            add(kernel, [kernel.reshape(x, shape)], axis, ["%c0 = arith.addf %a0, %b0 : f32"], one(np.add), reverse)
    yield kernel.case("sums in order", gpu="the order on a GPU is its layout's")


def cases(is_scan: bool):
    yield from integers(is_scan)
    yield from floats(is_scan)
    yield from pairs(is_scan)
    yield from in_order(is_scan)
