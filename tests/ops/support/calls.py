"""Kernels that call helpers, shared by the files of tt.call, tt.return, tt.func and builtin.module."""

from __future__ import annotations

import numpy as np
from support import kernels, values


def function(name: str, parameters: str, results: str, lines: list[str], noinline: str = "false") -> str:
    body = "\n".join("    " + line for line in lines)
    arrow = f" -> {results}" if results else ""
    return f"  tt.func private @{name}({parameters}){arrow} attributes {{noinline = {noinline}}} {{\n{body}\n  }}\n"


def scalars(name: str, noinline: str):
    """The same helper called twice with other operands."""
    helper = function("weigh", "%x: i32, %y: i32", "i32", ["%c = arith.constant 3 : i32", "%m = arith.muli %x, %c : i32", "%s = arith.subi %m, %y : i32", "tt.return %s : i32"], noinline)
    lines = ["%first = tt.call @weigh(%a, %b) : (i32, i32) -> i32", "%r = tt.call @weigh(%first, %a) : (i32, i32) -> i32"]
    given = {"a": values.integers("i32", 64, 1), "b": values.integers("i32", 64, 2)[::-1].copy()}
    three = np.int32(3)
    return kernels.elementwise(name, lines, given, {"r": "i32"}, lambda a, b: (a * three - b) * three - a, (), functions=helper)


def tiles():
    """A helper of tiles with two results, one of them a parameter as it came."""
    body = ["%s = arith.addf %x, %y : TILE(f32)", "tt.return %s, %x : TILE(f32), TILE(f32)"]
    helper = function("both", "%x: TILE(f32), %y: TILE(f32)", "(TILE(f32), TILE(f32))", body)
    call = "tt.call @both({}) : (TILE(f32), TILE(f32)) -> (TILE(f32), TILE(f32))"
    lines = [f"%p:2 = {call.format('%a, %b')}", f"%q:2 = {call.format('%p#0, %p#0')}", "%r = arith.mulf %q#0, %q#1 : TILE(f32)", "%s = arith.subf %p#1, %b : TILE(f32)"]

    def reference(a, b):
        return [((a + b) + (a + b)) * (a + b), a - b]

    given = {"a": values.moderate_floats("f32", 256, 1), "b": values.moderate_floats("f32", 256, 2)}
    return kernels.elementwise("tiles", lines, given, {"r": "f32", "s": "f32"}, reference, (64,), functions=helper)


def through_two_levels():
    inner = function("square", "%x: i32", "i32", ["%s = arith.muli %x, %x : i32", "tt.return %s : i32"])
    body = ["%s = tt.call @square(%x) : (i32) -> i32", "%t = tt.call @square(%s) : (i32) -> i32", "tt.return %t : i32"]
    outer = function("fourth", "%x: i32", "i32", body)
    lines = ["%p = tt.call @fourth(%a) : (i32) -> i32", "%q = tt.call @square(%a) : (i32) -> i32", "%r = arith.subi %p, %q : i32"]
    given = {"a": values.integers("i32", 64, 3)}
    return kernels.elementwise("two_levels", lines, given, {"r": "i32"}, lambda a: (a * a) * (a * a) - a * a, (), functions=outer + inner)


def in_a_loop():
    helper = function("step", "%x: TILE(i32), %i: i32", "TILE(i32)", ["%t = tt.splat %i : i32 -> TILE(i32)", "%s = arith.muli %x, %t : TILE(i32)", "%u = arith.addi %s, %x : TILE(i32)", "tt.return %u : TILE(i32)"])
    lines = [
        "%one = arith.constant 1 : i32",
        "%four = arith.constant 4 : i32",
        "%r = scf.for %i = %one to %four step %one iter_args(%x = %a) -> (TILE(i32)) : i32 {",
        "  %y = tt.call @step(%x, %i) : (TILE(i32), i32) -> TILE(i32)",
        "  scf.yield %y : TILE(i32)",
        "}",
    ]
    given = {"a": values.integers("i32", 128, 4)}
    return kernels.elementwise("in_a_loop", lines, given, {"r": "i32"}, lambda a: a * np.int32(2 * 3 * 4), (64,), functions=helper)


def quoted_name():
    """The names that Triton makes for helpers, in quotes."""
    name = '"helper.f____(0, 0)cconstexpr_64__(1,)cconstexpr_fp32_"'
    helper = function(name, "", "TILE(f32)", ["%c = arith.constant dense<2.500000e+00> : TILE(f32)", "tt.return %c : TILE(f32)"])
    lines = [f"%c = tt.call @{name}() : () -> TILE(f32)", "%r = arith.mulf %a, %c : TILE(f32)"]
    given = {"a": values.moderate_floats("f32", 128, 5)}
    return kernels.elementwise("quoted_name", lines, given, {"r": "f32"}, lambda a: a * np.float32(2.5), (64,), functions=helper)


def returns_in_branches():
    """A helper that returns from two blocks, and has one that nothing reaches."""
    body = [
        "%zero = arith.constant 0 : i32",
        "%low = arith.cmpi slt, %x, %zero : i32",
        "cf.cond_br %low, ^bb1, ^bb2",
        "^bb1:",
        "tt.return %zero : i32",
        "^bb2:",
        "%d = arith.addi %x, %x : i32",
        "tt.return %d : i32",
        "^bb3:",
        "%p = ub.poison : i32",
        "tt.return %p : i32",
    ]
    helper = function("clip", "%x: i32", "i32", body)
    lines = ["%p = tt.call @clip(%a) : (i32) -> i32", "%r = tt.call @clip(%p) : (i32) -> i32"]
    given = {"a": values.integers("i32", 64, 6)}

    def reference(a):
        once = np.where(a < 0, 0, a + a).astype(np.int32)
        return np.where(once < 0, 0, once + once).astype(np.int32)

    return kernels.elementwise("returns_in_branches", lines, given, {"r": "i32"}, reference, (), functions=helper)


def swapped_results():
    helper = function("swap", "%x: i32, %y: i32", "(i32, i32)", ["tt.return %y, %x : i32, i32"])
    call = "tt.call @swap({}) : (i32, i32) -> (i32, i32)"
    lines = [f"%p:2 = {call.format('%a, %b')}", f"%q:2 = {call.format('%p#1, %p#1')}", "%r = arith.subi %p#0, %p#1 : i32", "%s = arith.subi %q#0, %q#1 : i32"]
    given = {"a": values.integers("i32", 64, 7), "b": values.integers("i32", 64, 8)[::-1].copy()}
    return kernels.elementwise("swapped_results", lines, given, {"r": "i32", "s": "i32"}, lambda a, b: [b - a, np.zeros_like(a)], (), functions=helper)
