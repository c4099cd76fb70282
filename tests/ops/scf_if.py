"""scf.if: with and without results, without an else, nested, with tiles of which one side is only passed on."""

import numpy as np
from support import kernels, values


def choice():
    lines = [
        "%zero = arith.constant 0 : i32",
        "%positive = arith.cmpi sgt, %a, %zero : i32",
        "%r:2 = scf.if %positive -> (i32, i64) {",
        "  %double = arith.addi %a, %a : i32",
        "  %wide = arith.extsi %a : i32 to i64",
        "  scf.yield %double, %wide : i32, i64",
        "} else {",
        "  %minus = arith.constant -1 : i64",
        "  scf.yield %a, %minus : i32, i64",
        "}",
        "%x = arith.addi %r#0, %zero : i32",
        "%none = arith.constant 0 : i64",
        "%y = arith.addi %r#1, %none : i64",
    ]

    def reference(a):
        return [np.where(a > 0, a + a, a), np.where(a > 0, a.astype(np.int64), -1)]

    return kernels.elementwise("scalars", lines, {"a": values.integers("i32", 64)}, {"x": "i32", "y": "i64"}, reference, ())


def tiles():
    """The condition is the parity of the program; one side passes %a on."""
    lines = [
        "%one = arith.constant 1 : i32",
        "%odd = arith.andi %program, %one : i32",
        "%is_odd = arith.cmpi eq, %odd, %one : i32",
        "%r = scf.if %is_odd -> (TILE(f32)) {",
        "  %sum = arith.addf %a, %b : TILE(f32)",
        "  scf.yield %sum : TILE(f32)",
        "} else {",
        "  scf.yield %a : TILE(f32)",
        "}",
        "%s = arith.mulf %r, %a : TILE(f32)",
    ]

    def reference(a, b):
        odd = np.arange(a.size) // 64 % 2 == 1
        r = np.where(odd, a + b, a)
        return [r, r * a]

    given = {"a": values.moderate_floats("f32", 256, 1), "b": values.moderate_floats("f32", 256, 2)}
    return kernels.elementwise("tiles", lines, given, {"r": "f32", "s": "f32"}, reference, (64,))


def nested():
    lines = [
        "%zero = arith.constant 0 : i32",
        "%ten = arith.constant 10 : i32",
        "%low = arith.cmpi slt, %a, %zero : i32",
        "%r = scf.if %low -> (i32) {",
        "  %small = arith.cmpi slt, %b, %zero : i32",
        "  %in = scf.if %small -> (i32) {",
        "    scf.yield %zero : i32",
        "  } else {",
        "    scf.yield %b : i32",
        "  }",
        "  scf.yield %in : i32",
        "} else {",
        "  %sum = arith.addi %a, %ten : i32",
        "  scf.yield %sum : i32",
        "}",
    ]

    def reference(a, b):
        return np.where(a < 0, np.where(b < 0, 0, b), a + np.int32(10)).astype(np.int32)

    given = {"a": values.integers("i32", 64, 1), "b": values.integers("i32", 64, 2)[::-1].copy()}
    return kernels.elementwise("nested", lines, given, {"r": "i32"}, reference, ())


def stores_alone():
    """No results and no else: only some programs write; the rest of the array keeps its 7."""
    lines = [
        "%zero = arith.constant 0 : i32",
        "%r_to = tt.addptr %r_ptr, %program : !tt.ptr<i32>, i32",
        "%seven = arith.constant 7 : i32",
        "tt.store %r_to, %seven : !tt.ptr<i32>",
        "%positive = arith.cmpi sgt, %a, %zero : i32",
        "scf.if %positive {",
        "  tt.store %r_to, %a : !tt.ptr<i32>",
        "}",
        "%r = tt.load %r_to : !tt.ptr<i32>",
    ]
    return kernels.elementwise("stores_alone", lines, {"a": values.integers("i32", 64)}, {"r": "i32"}, lambda a: np.where(a > 0, a, 7), ())


def pointers():
    """Addresses out of an if."""
    lines = [
        "%one = arith.constant 1 : i32",
        "%odd = arith.andi %program, %one : i32",
        "%is_odd = arith.cmpi eq, %odd, %one : i32",
        "%at = scf.if %is_odd -> (tensor<64x!tt.ptr<i32>>) {",
        "  scf.yield %a_at : tensor<64x!tt.ptr<i32>>",
        "} else {",
        "  scf.yield %b_at : tensor<64x!tt.ptr<i32>>",
        "}",
        "%r = tt.load %at : tensor<64x!tt.ptr<i32>>",
    ]
    given = {"a": values.integers("i32", 256, 1), "b": values.integers("i32", 256, 2)}
    return kernels.elementwise("pointers", lines, given, {"r": "i32"}, lambda a, b: np.where(np.arange(256) // 64 % 2 == 1, a, b), (64,))


def cases():
    yield choice()
    yield tiles()
    yield nested()
    yield stores_alone()
    yield pointers()
