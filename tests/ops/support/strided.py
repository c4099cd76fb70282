"""Operands whose elements do not lie side by side: a row broadcast down, a column broadcast across, and a transposed tile."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from support import kernels, values
from support.case import Case, In, Out

ROWS, COLUMNS = 8, 16


def line(name: str, element: str, size: int, axis: int) -> list[str]:
    """%NAME: the vector %NAME_ptr of that size, broadcast along the other axis of the tile."""
    unit = f"{size}x1" if axis == 1 else f"1x{size}"
    pointer = f"!tt.ptr<{element}>"
    return [
        f"%{name}_index = tt.make_range {{end = {size} : i32, start = 0 : i32}} : tensor<{size}xi32>",
        f"%{name}_base = tt.splat %{name}_ptr : {pointer} -> tensor<{size}x{pointer}>",
        f"%{name}_at = tt.addptr %{name}_base, %{name}_index : tensor<{size}x{pointer}>, tensor<{size}xi32>",
        f"%{name}_line = tt.load %{name}_at : tensor<{size}x{pointer}>",
        f"%{name}_unit = tt.expand_dims %{name}_line {{axis = {axis} : i32}} : tensor<{size}x{element}> -> tensor<{unit}x{element}>",
        f"%{name} = tt.broadcast %{name}_unit : tensor<{unit}x{element}> -> tensor<{ROWS}x{COLUMNS}x{element}>",
    ]


def case(op: str, element: str, compute: Callable, result: str | None = None, **options) -> Case:
    """op(row, column), op(transposed, row), op(column, transposed), and op(row, row) whose elements repeat; `op`: what stands before
    the operands, `compute`: on arrays of the type, of one shape."""
    result = result or element
    tile, other = f"tensor<{ROWS}x{COLUMNS}x{element}>", f"tensor<{COLUMNS}x{ROWS}x{element}>"
    lines = kernels.offsets((COLUMNS, ROWS)) + kernels.load("t", element, (COLUMNS, ROWS))
    lines += line("r", element, COLUMNS, 0) + line("c", element, ROWS, 1)
    lines.append(f"%turned = tt.trans %t {{order = array<i32: 1, 0>}} : {other} -> {tile}")
    pairs = {"rc": ("r", "c"), "tr": ("turned", "r"), "ct": ("c", "turned"), "rr": ("r", "r")}
    lines += [f"%{name} = {op} %{a}, %{b} : {tile}" for name, (a, b) in pairs.items()]
    # Results go out flat, in the tile's row-major order.
    flat = f"tensor<{ROWS * COLUMNS}x{result}>"
    for name in pairs:
        lines.append(f"%{name}_flat = tt.reshape %{name} : tensor<{ROWS}x{COLUMNS}x{result}> -> {flat}")
    lines.append(f"%flat_range = tt.make_range {{end = {ROWS * COLUMNS} : i32, start = 0 : i32}} : tensor<{ROWS * COLUMNS}xi32>")
    for name in pairs:
        stored = kernels.store(f"{name}_flat", result, (ROWS * COLUMNS,))
        lines += [text.replace("%offset", "%flat_range") for text in stored]
    memory = kernels.memory_type(result)
    head = [f"%{name}_ptr: !tt.ptr<{element}>" for name in "trc"] + [f"%{name}_flat_ptr: !tt.ptr<{memory}>" for name in pairs]

    def reference(arrays):
        t, r, c = arrays
        shape = (ROWS, COLUMNS)
        tiles = {"turned": t.reshape(COLUMNS, ROWS).T, "r": np.broadcast_to(r, shape), "c": np.broadcast_to(c[:, None], shape)}
        tiles = {name: np.ascontiguousarray(tile) for name, tile in tiles.items()}
        return [compute(tiles[a], tiles[b]) for a, b in pairs.values()]

    given = [values.some(element, ROWS * COLUMNS, 21), values.some(element, COLUMNS, 22)[::-1].copy(), values.some(element, ROWS + 40, 23)[-ROWS:]]
    arguments = [*map(In, given)] + [Out((ROWS * COLUMNS,), result) for _ in pairs]
    label = f"{op.split()[1].rstrip(',')}_" if " " in op else ""
    return Case(f"{label}{element}_strided", kernels.module(head, lines), arguments, (1, 1, 1), reference, **options)
