"""scf.for: signed and unsigned bounds of i32 and i64, no trips, steps that jump past the end, carried values that change places."""

import numpy as np
from support import kernels, values

BOUNDS = [(0, 10, 1), (0, 10, 3), (5, 5, 1), (7, 3, 1), (-9, 8, 4), (-3, -1, 1), (0, 1, 100), (2, 130, 7)]
UNSIGNED = [(0, 10, 1), (5, 5, 2), (7, 3, 1), (2**31 - 4, 2**31 + 4, 3), (2**32 - 20, 2**32 - 10, 2)]


def sum_and_count(element, unsigned=""):
    """The sum of the counter's values and the number of trips."""
    return [
        f"%zero = arith.constant 0 : {element}",
        f"%one = arith.constant 1 : {element}",
        f"%r:2 = scf.for {unsigned}%i = %a to %b step %c iter_args(%sum = %zero, %count = %zero) -> ({element}, {element}) : {element} {{",
        f"  %next = arith.addi %sum, %i : {element}",
        f"  %more = arith.addi %count, %one : {element}",
        f"  scf.yield %next, %more : {element}, {element}",
        "}",
        f"%total = arith.addi %r#0, %zero : {element}",
        f"%trips = arith.addi %r#1, %zero : {element}",
    ]


def counting(name, element, bounds, unsigned="", **options):
    dtype = {"i32": np.uint32 if unsigned else np.int32, "i64": np.int64}[element]
    a, b, c = (np.array(column).astype(dtype) for column in zip(*bounds))

    def reference(lower, upper, step):
        trips = [range(int(x), int(y), int(z)) for x, y, z in zip(lower, upper, step)]
        return [np.array([sum(t) % 2**64 for t in trips], np.uint64).astype(dtype), np.array([len(t) for t in trips], dtype)]

    given = {"a": a, "b": b, "c": c}
    return kernels.elementwise(name, sum_and_count(element, unsigned), given, {"total": element, "trips": element}, reference, (), **options)


def swapping():
    """Two carried tiles change places; both start as the same value, and both leave."""
    lines = [
        "%zero = arith.constant 0 : i32",
        "%three = arith.constant 3 : i32",
        "%one = arith.constant 1 : i32",
        "%both:2 = scf.for %i = %zero to %three step %one iter_args(%x = %a, %y = %a) -> (TILE(f32), TILE(f32)) : i32 {",
        "  %sum = arith.addf %x, %b : TILE(f32)",
        "  scf.yield %y, %sum : TILE(f32), TILE(f32)",
        "}",
        "%r = arith.addf %both#0, %b : TILE(f32)",
        "%s = arith.subf %both#1, %b : TILE(f32)",
    ]

    def reference(a, b):
        x, y = a, a
        for _ in range(3):
            x, y = y, x + b
        return [x + b, y - b]

    given = {"a": values.moderate_floats("f32", 256, 1), "b": values.moderate_floats("f32", 256, 2)}
    return kernels.elementwise("swapped_tiles", lines, given, {"r": "f32", "s": "f32"}, reference, (64,))


def duplicated():
    """One value yielded twice, and yielded unchanged."""
    lines = [
        "%zero = arith.constant 0 : i32",
        "%two = arith.constant 2 : i32",
        "%one = arith.constant 1 : i32",
        "%both:3 = scf.for %i = %zero to %two step %one iter_args(%x = %a, %y = %b, %z = %b) -> (TILE(f32), TILE(f32), TILE(f32)) : i32 {",
        "  %product = arith.mulf %x, %y : TILE(f32)",
        "  scf.yield %product, %product, %z : TILE(f32), TILE(f32), TILE(f32)",
        "}",
        "%r = arith.addf %both#0, %both#2 : TILE(f32)",
        "%s = arith.subf %both#1, %a : TILE(f32)",
    ]

    def reference(a, b):
        first = a * b
        second = first * first
        return [second + b, second - a]

    given = {"a": values.moderate_floats("f32", 256, 3), "b": values.moderate_floats("f32", 256, 4)}
    return kernels.elementwise("one_value_yielded_twice", lines, given, {"r": "f32", "s": "f32"}, reference, (64,))


def nested():
    """A loop in a loop whose bound is the outer counter; the tile is loaded anew each time."""
    lines = [
        "%zero = arith.constant 0 : i32",
        "%one = arith.constant 1 : i32",
        "%six = arith.constant 6 : i32",
        "%r = scf.for %i = %zero to %six step %one iter_args(%x = %a) -> (TILE(i32)) : i32 {",
        "  %inner = scf.for %j = %zero to %i step %one iter_args(%y = %x) -> (TILE(i32)) : i32 {",
        "    %again = tt.load %a_at : tensor<64x!tt.ptr<i32>>",
        "    %factor = tt.splat %j : i32 -> TILE(i32)",
        "    %part = arith.muli %again, %factor : TILE(i32)",
        "    %sum = arith.addi %y, %part : TILE(i32)",
        "    scf.yield %sum : TILE(i32)",
        "  }",
        "  scf.yield %inner : TILE(i32)",
        "}",
    ]
    total = 1 + sum(j for i in range(6) for j in range(i))
    return kernels.elementwise("nested", lines, {"a": values.integers("i32", 256, 6)}, {"r": "i32"}, lambda a: a * np.int32(total), (64,))


def no_results():
    """A loop for its stores alone."""
    lines = [
        "%zero = arith.constant 0 : i32",
        "%one = arith.constant 1 : i32",
        "%four = arith.constant 4 : i32",
        "%r_to = tt.addptr %r_ptr, %program : !tt.ptr<i32>, i32",
        "scf.for %i = %zero to %four step %one : i32 {",
        "  %before = tt.load %r_to : !tt.ptr<i32>",
        "  %first = arith.cmpi eq, %i, %zero : i32",
        "  %old = arith.select %first, %zero, %before : i32",
        "  %sum = arith.addi %old, %a : i32",
        "  tt.store %r_to, %sum : !tt.ptr<i32>",
        "}",
        "%r = tt.load %r_to : !tt.ptr<i32>",
    ]
    return kernels.elementwise("no_results", lines, {"a": values.integers("i32", 32, 6)}, {"r": "i32"}, lambda a: a * np.int32(4), ())


def pointers():
    """A tile of addresses carried from trip to trip, with the attributes that Triton's range() leaves on loops."""
    lines = [
        "%zero = arith.constant 0 : i32",
        "%one = arith.constant 1 : i32",
        "%four = arith.constant 4 : i32",
        "%stride = arith.constant dense<64> : TILE(i32)",
        "%none = arith.constant dense<0.000000e+00> : TILE(f32)",
        "%start = tt.splat %a_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>",
        "%first = tt.addptr %start, %range : tensor<64x!tt.ptr<f32>>, TILE(i32)",
        "%sums:2 = scf.for %i = %zero to %four step %one iter_args(%x = %none, %at = %first) -> (TILE(f32), tensor<64x!tt.ptr<f32>>) : i32 {",
        "  %part = tt.load %at : tensor<64x!tt.ptr<f32>>",
        "  %sum = arith.addf %x, %part : TILE(f32)",
        "  %next = tt.addptr %at, %stride : tensor<64x!tt.ptr<f32>>, TILE(i32)",
        "  scf.yield %sum, %next : TILE(f32), tensor<64x!tt.ptr<f32>>",
        "} {tt.disallow_acc_multi_buffer, tt.flatten, tt.num_stages = 3 : i32}",
        "%r = arith.addf %sums#0, %a : TILE(f32)",
    ]

    def reference(a):
        rows = a.reshape(4, 64)
        return (((rows[0] + rows[1]) + rows[2]) + rows[3] + rows).reshape(-1)

    return kernels.elementwise("pointers", lines, {"a": values.moderate_floats("f32", 256, 9)}, {"r": "f32"}, reference, (64,))


def index_bounds():
    """The counter of type index, as in raw text."""
    lines = [
        "%zero = arith.constant 0 : index",
        "%two = arith.constant 2 : index",
        "%limit = arith.index_cast %a : i32 to index",
        "%none = arith.constant 0 : i32",
        "%r = scf.for %i = %zero to %limit step %two iter_args(%sum = %none) -> (i32) {",
        "  %number = arith.index_cast %i : index to i32",
        "  %next = arith.addi %sum, %number : i32",
        "  scf.yield %next : i32",
        "}",
    ]

    def reference(a):
        return np.array([sum(range(0, int(n), 2)) for n in a], np.int32)

    given = {"a": np.arange(-4, 28, dtype=np.int32)}
    return kernels.elementwise("index", lines, given, {"r": "i32"}, reference, (), gpu="index lives in loops of raw text only")


def cases():
    yield counting("i32", "i32", BOUNDS)
    yield counting("i64", "i64", [*BOUNDS, (2**40, 2**40 + 9, 2), (-(2**50), 5 - 2**50, 1)])
    yield counting("unsigned", "i32", UNSIGNED, "unsigned ")
    ends = [(2**31 - 5, 2**31 - 1, 2), (2**31 - 4, 2**31 - 1, 3), (-(2**31), -(2**31) + 3, 2), (2**31 - 2, 2**31 - 1, 1)]
    yield counting("i32_ends", "i32", ends, gpu="not recorded; counters that wrap: tests/findings/LS508_*, tests/unit/interpreter/control_test.cpp")
    yield swapping()
    yield duplicated()
    yield nested()
    yield no_results()
    yield pointers()
    yield index_bounds()
