"""Kernels with scf.while, shared by the files of its three ops."""

from __future__ import annotations

import numpy as np
from support import kernels, values


def collatz_steps(number: int) -> int:
    steps = 0
    while number > 1:
        number = number // 2 if number % 2 == 0 else 3 * number + 1
        steps += 1
    return steps


def collatz():
    """A loop of unknown length with an if in it; 0 and 1 do not loop at all."""
    lines = [
        "%zero = arith.constant 0 : i32",
        "%one = arith.constant 1 : i32",
        "%two = arith.constant 2 : i32",
        "%three = arith.constant 3 : i32",
        "%end:2 = scf.while (%x = %a, %n = %zero) : (i32, i32) -> (i32, i32) {",
        "  %go = arith.cmpi sgt, %x, %one : i32",
        "  scf.condition(%go) %x, %n : i32, i32",
        "} do {",
        "^bb0(%x: i32, %n: i32):",
        "  %rest = arith.remsi %x, %two : i32",
        "  %even = arith.cmpi eq, %rest, %zero : i32",
        "  %next = scf.if %even -> (i32) {",
        "    %half = arith.divsi %x, %two : i32",
        "    scf.yield %half : i32",
        "  } else {",
        "    %triple = arith.muli %x, %three : i32",
        "    %more = arith.addi %triple, %one : i32",
        "    scf.yield %more : i32",
        "  }",
        "  %count = arith.addi %n, %one : i32",
        "  scf.yield %next, %count : i32, i32",
        "}",
        "%r = arith.addi %end#1, %zero : i32",
    ]

    def reference(a):
        return np.array([collatz_steps(int(x)) for x in a], np.int32)

    return kernels.elementwise("collatz", lines, {"a": np.arange(64, dtype=np.int32)}, {"r": "i32"}, reference, ())


def other_types():
    """What the condition passes on has other types than what is tested: an i32 in, a tile and an i64 out."""
    lines = [
        "%limit = arith.constant 5 : i32",
        "%one = arith.constant 1 : i64",
        "%begin = tt.get_program_id x : i32",
        "%end:2 = scf.while (%i = %begin) : (i32) -> (TILE(f32), i64) {",
        "  %float = arith.sitofp %i : i32 to f32",
        "  %tile = tt.splat %float : f32 -> TILE(f32)",
        "  %sum = arith.addf %tile, %a : TILE(f32)",
        "  %wide = arith.extsi %i : i32 to i64",
        "  %go = arith.cmpi slt, %i, %limit : i32",
        "  scf.condition(%go) %sum, %wide : TILE(f32), i64",
        "} do {",
        "^bb0(%sum: TILE(f32), %wide: i64):",
        "  %next = arith.addi %wide, %one : i64",
        "  %narrow = arith.trunci %next : i64 to i32",
        "  scf.yield %narrow : i32",
        "}",
        "%last = arith.sitofp %end#1 : i64 to f32",
        "%s = tt.splat %last : f32 -> TILE(f32)",
        "%r = arith.addf %end#0, %s : TILE(f32)",
    ]

    def reference(a):
        last = np.maximum(np.arange(a.size) // 32, 5).astype(np.float32)
        return (last + a) + last

    return kernels.elementwise("other_types", lines, {"a": values.moderate_floats("f32", 256, 1)}, {"r": "f32"}, reference, (32,))


def swapped():
    """Tiles change places on the way through both regions, and one is passed twice."""
    lines = [
        "%zero = arith.constant 0 : i32",
        "%one = arith.constant 1 : i32",
        "%three = arith.constant 3 : i32",
        "%end:3 = scf.while (%i = %zero, %x = %a, %y = %b) : (i32, TILE(i32), TILE(i32)) -> (TILE(i32), TILE(i32), i32) {",
        "  %go = arith.cmpi slt, %i, %three : i32",
        "  scf.condition(%go) %y, %y, %i : TILE(i32), TILE(i32), i32",
        "} do {",
        "^bb0(%y: TILE(i32), %again: TILE(i32), %i: i32):",
        "  %next = arith.addi %i, %one : i32",
        "  %sum = arith.addi %y, %again : TILE(i32)",
        "  scf.yield %next, %sum, %sum : i32, TILE(i32), TILE(i32)",
        "}",
        "%r = arith.addi %end#0, %end#1 : TILE(i32)",
        "%s = arith.subi %end#1, %a : TILE(i32)",
    ]

    def reference(a, b):
        y = b * np.int32(8)
        return [y + y, y - a]

    given = {"a": values.integers("i32", 128, 1), "b": values.integers("i32", 128, 2)}
    return kernels.elementwise("swapped", lines, given, {"r": "i32", "s": "i32"}, reference, (32,))


def for_its_stores():
    """No values at all: memory alone carries the state, program by program."""
    lines = [
        "%zero = arith.constant 0 : i32",
        "%one = arith.constant 1 : i32",
        "%r_to = tt.addptr %r_ptr, %program : !tt.ptr<i32>, i32",
        "tt.store %r_to, %a : !tt.ptr<i32>",
        "scf.while : () -> () {",
        "  %now = tt.load %r_to : !tt.ptr<i32>",
        "  %go = arith.cmpi sgt, %now, %zero : i32",
        "  scf.condition(%go)",
        "} do {",
        "  %old = tt.load %r_to : !tt.ptr<i32>",
        "  %less = arith.subi %old, %one : i32",
        "  tt.store %r_to, %less : !tt.ptr<i32>",
        "  scf.yield",
        "}",
        "%r = tt.load %r_to : !tt.ptr<i32>",
    ]
    given = {"a": np.arange(-8, 24, dtype=np.int32)}
    return kernels.elementwise("for_its_stores", lines, given, {"r": "i32"}, lambda a: np.minimum(a, 0), ())
