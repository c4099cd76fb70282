"""Texts of kernels: one op on whole tiles of any type and rank, loaded and stored as Triton's front end does it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from support import elements
from support.case import Case, In, Out

BLOCK = 1024


def tile(element: str, shape: tuple[int, ...]) -> str:
    """tensor<4x8xf32>; f32 for the shape ()."""
    return f"tensor<{'x'.join(str(n) for n in shape)}x{element}>" if shape else element


def memory_type(element: str) -> str:
    """i1 lies in memory as i8."""
    return "i8" if element == "i1" else element


def module(parameters: list[str], lines: list[str], name: str = "kernel", functions: str = "") -> str:
    """A module with one public function; `functions`: text of further ones."""
    body = "\n".join("    " + line for line in lines)
    head = f"  tt.func public @{name}({', '.join(parameters)}) attributes {{noinline = false}} {{"
    return f"module {{\n{head}\n{body}\n    tt.return\n  }}\n{functions}}}\n"


def offsets(shape: tuple[int, ...], first: str = "%part_first") -> list[str]:
    """Lines that make %offset, the row-major numbers of a tile's elements in its program's part of the arrays."""
    count = int(np.prod(shape))
    lines = ["%program = tt.get_program_id x : i32", f"%block = arith.constant {count} : i32"]
    lines.append(f"{first} = arith.muli %program, %block : i32")
    if not shape:
        return [*lines, f"%zero_offset = arith.constant 0 : i32\n    %offset = arith.addi {first}, %zero_offset : i32"]
    flat, shaped = tile("i32", (count,)), tile("i32", shape)
    lines.append(f"%range = tt.make_range {{end = {count} : i32, start = 0 : i32}} : {flat}")
    lines.append(f"%part_start = tt.splat {first} : i32 -> {flat}")
    if len(shape) == 1:
        return [*lines, f"%offset = arith.addi %part_start, %range : {flat}"]
    lines.append(f"%flat_offset = arith.addi %part_start, %range : {flat}")
    return [*lines, f"%offset = tt.reshape %flat_offset : {flat} -> {shaped}"]


def pointers(name: str, element: str, shape: tuple[int, ...]) -> list[str]:
    """Lines that make %NAME_at, the addresses of the tile's elements, from the parameter %NAME_ptr."""
    pointer = f"!tt.ptr<{memory_type(element)}>"
    if not shape:
        return [f"%{name}_at = tt.addptr %{name}_ptr, %offset : {pointer}, i32"]
    return [
        f"%{name}_base = tt.splat %{name}_ptr : {pointer} -> {tile(pointer, shape)}",
        f"%{name}_at = tt.addptr %{name}_base, %offset : {tile(pointer, shape)}, {tile('i32', shape)}",
    ]


def load(name: str, element: str, shape: tuple[int, ...]) -> list[str]:
    """Lines that make %NAME from the parameter %NAME_ptr."""
    lines = pointers(name, element, shape)
    if element != "i1":
        return [*lines, f"%{name} = tt.load %{name}_at : {tile(f'!tt.ptr<{element}>', shape)}"]
    zero = f"dense<0> : {tile('i8', shape)}" if shape else "0 : i8"
    return [
        *lines,
        f"%{name}_byte = tt.load %{name}_at : {tile('!tt.ptr<i8>', shape)}",
        f"%{name}_zero = arith.constant {zero}",
        f"%{name} = arith.cmpi ne, %{name}_byte, %{name}_zero : {tile('i8', shape)}",
    ]


def store(name: str, element: str, shape: tuple[int, ...]) -> list[str]:
    """Lines that write %NAME to the parameter %NAME_ptr."""
    lines = pointers(name, element, shape)
    pointer = tile(f"!tt.ptr<{memory_type(element)}>", shape)
    if element != "i1":
        return [*lines, f"tt.store %{name}_at, %{name} : {pointer}"]
    wider = f"%{name}_byte = arith.extui %{name} : {tile('i1', shape)} to {tile('i8', shape)}"
    return [*lines, wider, f"tt.store %{name}_at, %{name}_byte : {pointer}"]


def text(body: list[str], inputs: dict[str, str], outputs: dict[str, str], shape: tuple[int, ...], functions: str = "") -> str:
    """A kernel that loads one tile of each input as %NAME, runs the lines of `body`, and stores %NAME of each output.

    Parameters are %NAME_ptr, inputs first; both dicts give the element types. `functions`: further ones of the module."""
    named = {**inputs, **outputs}
    lines = offsets(shape)
    for name, element in inputs.items():
        lines += load(name, element, shape)
    lines += body
    for name, element in outputs.items():
        lines += store(name, element, shape)
    return module([f"%{name}_ptr: !tt.ptr<{memory_type(e)}>" for name, e in named.items()], lines, functions=functions)


def elementwise(
    name: str,
    body: str | list[str],
    inputs: dict[str, np.ndarray],
    outputs: dict[str, str],
    reference: Callable | None,
    shape: tuple[int, ...] | None = None,
    functions: str = "",
    **options,
) -> Case:
    """A case: the lines of `body` on whole arrays of one size, tile by tile.

    `body` uses %NAME of the inputs and defines %NAME of the outputs; "TILE(f32)" stands for the type of a tile.
    `reference(*input arrays)` returns the output array(s). `shape`: of a tile; () computes on scalars, one per program.
    The arrays' size must be a multiple of the tile's: it is filled up by repeating the arrays from the start."""
    count = max(array.size for array in inputs.values())
    if shape is None:
        shape = (min(BLOCK, 1 << max(count - 1, 0).bit_length()),)
    size = int(np.prod(shape))
    programs = -(-count // size)
    arrays = {key: np.resize(array, programs * size) for key, array in inputs.items()}
    lines = [body] if isinstance(body, str) else body
    for element in elements.DTYPE:
        lines = [line.replace(f"TILE({element})", tile(element, shape)) for line in lines]
        functions = functions.replace(f"TILE({element})", tile(element, shape))
    types = {key: elements.name_of(array.dtype) for key, array in arrays.items()}
    arguments = [In(array) for array in arrays.values()]
    arguments += [Out((programs * size,), element) for element in outputs.values()]
    call = None if reference is None else (lambda values: reference(*values))
    return Case(name, text(lines, types, outputs, shape, functions), arguments, (programs, 1, 1), call, **options)
