"""Kernels of several blocks, shared by the files of cf's ops and tt.return."""

from __future__ import annotations

import numpy as np
from support import kernels, values
from support.case import Case, In, Out


def diamond():
    """One of two blocks, then a block that takes what they give: an i32 and a tile."""
    lines = [
        "%one = arith.constant 1 : i32",
        "%odd = arith.andi %program, %one : i32",
        "%is_odd = arith.cmpi eq, %odd, %one : i32",
        "cf.cond_br %is_odd, ^bb1, ^bb2(%one : i32)",
        "^bb1:",
        "%sum = arith.addf %a, %b : TILE(f32)",
        "cf.br ^bb3(%sum, %program : TILE(f32), i32)",
        "^bb2(%given: i32):",
        "%minus = arith.subi %given, %program : i32",
        "cf.br ^bb3(%a, %minus : TILE(f32), i32)",
        "^bb3(%x: TILE(f32), %n: i32):",
        "%float = arith.sitofp %n : i32 to f32",
        "%factor = tt.splat %float : f32 -> TILE(f32)",
        "%r = arith.mulf %x, %factor : TILE(f32)",
    ]

    def reference(a, b):
        program = np.arange(a.size) // 64
        odd = program % 2 == 1
        return np.where(odd, a + b, a) * np.where(odd, program, 1 - program).astype(np.float32)

    given = {"a": values.moderate_floats("f32", 256, 1), "b": values.moderate_floats("f32", 256, 2)}
    return kernels.elementwise("diamond", lines, given, {"r": "f32"}, reference, (64,))


def one_target():
    """Both edges lead to one block, with other values."""
    lines = [
        "%zero = arith.constant 0 : i32",
        "%low = arith.cmpi slt, %a, %b : i32",
        "cf.cond_br %low, ^bb1(%a, %b : i32, i32), ^bb1(%b, %a : i32, i32)",
        "^bb1(%x: i32, %y: i32):",
        "%r = arith.addi %x, %zero : i32",
        "%s = arith.addi %y, %zero : i32",
    ]
    given = {"a": values.integers("i32", 64, 1), "b": values.integers("i32", 64, 2)[::-1].copy()}
    return kernels.elementwise("one_target", lines, given, {"r": "i32", "s": "i32"}, lambda a, b: [np.minimum(a, b), np.maximum(a, b)], ())


def fibonacci():
    """A loop of blocks; two arguments change places on the way back."""
    lines = [
        "%zero = arith.constant 0 : i32",
        "%one = arith.constant 1 : i32",
        "cf.br ^bb1(%zero, %zero, %one : i32, i32, i32)",
        "^bb1(%i: i32, %x: i32, %y: i32):",
        "%go = arith.cmpi slt, %i, %a : i32",
        "cf.cond_br %go, ^bb2, ^bb3",
        "^bb2:",
        "%sum = arith.addi %x, %y : i32",
        "%next = arith.addi %i, %one : i32",
        "cf.br ^bb1(%next, %y, %sum : i32, i32, i32)",
        "^bb3:",
        "%r = arith.addi %x, %zero : i32",
    ]

    def reference(a):
        numbers = [0, 1]
        while len(numbers) < 60:
            numbers.append(numbers[-1] + numbers[-2])
        return np.array([numbers[max(int(n), 0)] % 2**32 for n in a], np.uint32)

    return kernels.elementwise("fibonacci", lines, {"a": np.arange(-4, 44, dtype=np.int32)}, {"r": "i32"}, reference, ())


def swapped_tiles():
    """Tiles change places on the way back; one is both kept and given."""
    lines = [
        "%zero = arith.constant 0 : i32",
        "%one = arith.constant 1 : i32",
        "%five = arith.constant 5 : i32",
        "cf.br ^bb1(%zero, %a, %b, %a : i32, TILE(i32), TILE(i32), TILE(i32))",
        "^bb1(%i: i32, %x: TILE(i32), %y: TILE(i32), %z: TILE(i32)):",
        "%go = arith.cmpi slt, %i, %five : i32",
        "cf.cond_br %go, ^bb2, ^bb3",
        "^bb2:",
        "%sum = arith.addi %z, %y : TILE(i32)",
        "%next = arith.addi %i, %one : i32",
        "cf.br ^bb1(%next, %y, %x, %sum : i32, TILE(i32), TILE(i32), TILE(i32))",
        "^bb3:",
        "%r = arith.subi %x, %z : TILE(i32)",
        "%s = arith.addi %y, %b : TILE(i32)",
    ]

    def reference(a, b):
        x, y, z = a, b, a
        for _ in range(5):
            x, y, z = y, x, z + y
        return [x - z, y + b]

    given = {"a": values.integers("i32", 128, 1), "b": values.integers("i32", 128, 2)}
    return kernels.elementwise("swapped_tiles", lines, given, {"r": "i32", "s": "i32"}, reference, (64,))


def two_exits():
    """Looks for the first multiple of 7 from a on, for at most 5 numbers; the way out tells which."""
    lines = [
        "%zero = arith.constant 0 : i32",
        "%one = arith.constant 1 : i32",
        "%five = arith.constant 5 : i32",
        "%seven = arith.constant 7 : i32",
        "%minus = arith.constant -1 : i32",
        "cf.br ^bb1(%zero : i32)",
        "^bb1(%i: i32):",
        "%go = arith.cmpi slt, %i, %five : i32",
        "cf.cond_br %go, ^bb2, ^bb4(%minus : i32)",
        "^bb2:",
        "%number = arith.addi %a, %i : i32",
        "%rest = arith.remsi %number, %seven : i32",
        "%found = arith.cmpi eq, %rest, %zero : i32",
        "cf.cond_br %found, ^bb4(%number : i32), ^bb3",
        "^bb3:",
        "%next = arith.addi %i, %one : i32",
        "cf.br ^bb1(%next : i32)",
        "^bb5:",
        "cf.br ^bb4(%seven : i32)",
        "^bb4(%out: i32):",
        "%r = arith.addi %out, %zero : i32",
    ]

    def reference(a):
        found = [[n for n in range(int(x), int(x) + 5) if n % 7 == 0] for x in a]
        return np.array([f[0] if f else -1 for f in found], np.int32)

    return kernels.elementwise("two_exits", lines, {"a": np.arange(100, 164, dtype=np.int32)}, {"r": "i32"}, reference, ())


def early_return():
    """Programs from 3 on return before they store."""
    lines = kernels.offsets((64,)) + kernels.load("a", "i32", (64,))
    lines += ["%three = arith.constant 3 : i32", "%late = arith.cmpi sge, %program, %three : i32"]
    lines += ["cf.cond_br %late, ^bb1, ^bb2", "^bb1:", "tt.return", "^bb2:"]
    lines += [line.replace("%a", "%r") for line in kernels.pointers("a", "i32", (64,))]
    lines += ["tt.store %r_at, %a : tensor<64x!tt.ptr<i32>>"]
    text = kernels.module(["%a_ptr: !tt.ptr<i32>", "%r_ptr: !tt.ptr<i32>"], lines)

    def reference(arrays):
        return np.where(np.arange(320) // 64 >= 3, 9, arrays[0]).astype(np.int32)

    return Case("early_return", text, [In(values.integers("i32", 320, 3)), Out((320,), "i32", 9)], (5, 1, 1), reference)
