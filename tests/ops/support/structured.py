"""Operands that an interpreter may hold as formulas: ramps (base + stride * index in both dimensions of an 8 x 16 tile), splats,
and masks cut out of a tile by comparisons. Results must be those of the elements, also where a formula would wrap."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from support import elements, kernels, references, values
from support.case import Case, In, Out

ROWS, COLUMNS = 8, 16
COUNT = ROWS * COLUMNS
NOT_ASKED = "the same operation as on arrays; formulas exist in Lockstep alone"
I32 = f"tensor<{ROWS}x{COLUMNS}xi32>"


def indices() -> list[str]:
    """%rows and %columns: the row and column number of each element, as i32 tiles."""
    lines = []
    for name, size, axis, unit in (("rows", ROWS, 1, f"{ROWS}x1"), ("columns", COLUMNS, 0, f"1x{COLUMNS}")):
        lines += [
            f"%{name}_range = tt.make_range {{end = {size} : i32, start = 0 : i32}} : tensor<{size}xi32>",
            f"%{name}_unit = tt.expand_dims %{name}_range {{axis = {axis} : i32}} : tensor<{size}xi32> -> tensor<{unit}xi32>",
            f"%{name} = tt.broadcast %{name}_unit : tensor<{unit}xi32> -> {I32}",
        ]
    return lines


def cast(name: str, result: str, element: str) -> list[str]:
    """%RESULT: the i32 tile %NAME in another integer type."""
    tile = f"tensor<{ROWS}x{COLUMNS}x{element}>"
    if element == "i32":
        return [f"%{result}_zero = arith.constant dense<0> : {I32}", f"%{result} = arith.addi %{name}, %{result}_zero : {I32}"]
    return [f"%{result} = arith.{'extsi' if element == 'i64' else 'trunci'} %{name} : {I32} to {tile}"]


def scalars(element: str, names: str) -> list[str]:
    """One scalar per program from each of the arrays %NAME_ptr, splat to %NAME."""
    tile, pointer = f"tensor<{ROWS}x{COLUMNS}x{element}>", f"!tt.ptr<{element}>"
    lines = ["%which = tt.get_program_id x : i32"]
    for name in names:
        lines += [
            f"%{name}_at = tt.addptr %{name}_ptr, %which : {pointer}, i32",
            f"%{name}_one = tt.load %{name}_at : {pointer}",
            f"%{name} = tt.splat %{name}_one : {element} -> {tile}",
        ]
    return lines


def write(results: dict[str, str], element: str) -> list[str]:
    """Stores the tile %NAME of each result to %NAME_ptr, row-major, one tile per program."""
    lines = [f"%part_size = arith.constant {COUNT} : i32", "%part = arith.muli %which, %part_size : i32"]
    lines += [f"%part_tile = tt.splat %part : i32 -> {I32}", f"%width = arith.constant dense<{COLUMNS}> : {I32}"]
    lines += [f"%row_start = arith.muli %rows, %width : {I32}", f"%in_part = arith.addi %row_start, %columns : {I32}"]
    lines += [f"%offset = arith.addi %part_tile, %in_part : {I32}"]
    for name in results:
        lines += kernels.store(name, element, (ROWS, COLUMNS))
    return lines


def special_scalars(element: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bases, strides and others: every fourth pair of interesting numbers."""
    special = np.concatenate([values.special_integers(element), values.integers(element, 24, 9)[-8:]])
    base, other = np.repeat(special, len(special))[::4].copy(), np.tile(special, len(special))[::4].copy()
    stride = np.resize(elements.from_bits(np.array([1, 3, 0, 16, 255, 1 << 14, (1 << 64) - 1], np.uint64), element), len(base))
    return base, stride, other


def integer_case(op: str, element: str, function: Callable, is_signed: bool, result: str | None = None, **options) -> Case:
    """op(ramp, splat), op(splat, ramp), op(ramp, ramp), op(splat, splat); `function` is on Python integers; `result`: its type,
    else `element`. `op`: what stands before the operands."""
    result = result or element
    tile = f"tensor<{ROWS}x{COLUMNS}x{element}>"
    results = {"rs": ("ramp", "o"), "sr": ("o", "ramp"), "rr": ("ramp", "slope"), "ss": ("b", "o")}
    lines = indices() + scalars(element, "bso") + cast("rows", "row", element) + cast("columns", "column", element)
    lines += [f"%slope = arith.muli %row, %s : {tile}", f"%tilted = arith.addi %slope, %column : {tile}"]
    lines += [f"%ramp = arith.addi %tilted, %b : {tile}"]
    lines += [f"%{name} = {op} %{a}, %{b} : {tile}" for name, (a, b) in results.items()]
    pointers = [f"%{name}_ptr: !tt.ptr<{element}>" for name in "bso"]
    pointers += [f"%{name}_ptr: !tt.ptr<{kernels.memory_type(result)}>" for name in results]
    text = kernels.module(pointers, lines + write(results, result))
    base, stride, other = special_scalars(element)
    programs = len(base)

    def reference(arrays):
        b, s, o = (np.repeat(np.array(references.unsigned(array), dtype=object), COUNT) for array in arrays)
        row, column = (np.tile(index.ravel(), programs).astype(object) for index in np.indices((ROWS, COLUMNS)))
        tiles = {"b": b, "o": o, "slope": row * s, "ramp": row * s + column + b}
        typed = {name: references.wrapped(list(tile), element) for name, tile in tiles.items()}
        compute = references.on_integers(function, result, is_signed)
        return [compute(typed[a], typed[b]) for a, b in results.values()]

    arguments = [In(base), In(stride), In(other)] + [Out((programs * COUNT,), result) for _ in results]
    label = f"{op.split()[1].rstrip(',')}_" if " " in op else ""
    return Case(f"{label}{element}_formulas", text, arguments, (programs, 1, 1), reference, gpu=NOT_ASKED, **options)


def mask_case(op: str, function: Callable, **options) -> Case:
    """A binary op on i1 tiles that comparisons cut out: boxes, their complements, empty and full ones; `function` on bools."""
    tile = f"tensor<{ROWS}x{COLUMNS}xi1>"
    lines = indices() + scalars("i32", "mnpq")
    for name, predicate, index, limit in (
        ("low", "slt", "rows", "m"),
        ("high", "sge", "rows", "n"),
        ("left", "slt", "columns", "p"),
        ("right", "sge", "columns", "q"),
    ):
        lines.append(f"%{name} = arith.cmpi {predicate}, %{index}, %{limit} : {I32}")
    lines += [f"%true = arith.constant dense<true> : {tile}", f"%false = arith.constant dense<false> : {tile}"]
    lines.append(f"%corner = arith.andi %low, %left : {tile}")
    pairs = [("low", "high"), ("low", "left"), ("corner", "right"), ("corner", "high"), ("corner", "true"), ("false", "left")]
    results = {f"r{i}": pair for i, pair in enumerate(pairs)}
    lines += [f"%{name} = {op} %{a}, %{b} : {tile}" for name, (a, b) in results.items()]
    pointers = [f"%{name}_ptr: !tt.ptr<i32>" for name in "mnpq"] + [f"%{name}_ptr: !tt.ptr<i8>" for name in results]
    limits = np.array([(m, n, p, q) for m in (-1, 0, 3, 8) for n in (0, 2, 3, 9) for p in (0, 5, 16, 99) for q in (-7, 4, 5, 16)], np.int32)

    def reference(arrays):
        m, n, p, q = (np.asarray(array)[:, None, None] for array in arrays)
        row, column = np.indices((ROWS, COLUMNS))
        masks = {"low": row < m, "high": row >= n, "left": column < p, "right": column >= q}
        masks |= {"true": np.bool_(True), "false": np.bool_(False), "corner": masks["low"] & masks["left"]}
        shape = (len(limits), ROWS, COLUMNS)
        return [function(np.broadcast_to(masks[a], shape), np.broadcast_to(masks[b], shape)) for a, b in pairs]

    arguments = [In(limits[:, i].copy()) for i in range(4)] + [Out((len(limits) * COUNT,), "i1") for _ in results]
    text = kernels.module(pointers, lines + write(results, "i1"))
    label = f"{op.split()[1].rstrip(',')}_" if " " in op else ""
    return Case(f"{label}i1_masks", text, arguments, (len(limits), 1, 1), reference, gpu=NOT_ASKED, **options)
