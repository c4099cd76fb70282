"""tt.reduce.return: what the region gives; also its own arguments, changed over, and values from outside."""

import numpy as np
from support import folds, tiles


def arguments(reverse):
    """The left, the right, and both changed over."""
    kernel = tiles.Kernel(1)
    for shape, axis in [((16,), 0), ((4, 8), 1), ((4, 8), 0)]:
        x, y = kernel.dense("i32", shape), kernel.dense("i32", shape)
        folds.add(kernel, [x], axis, ["%c0 = arith.ori %a0, %a0 : i32"], lambda a, b: [a[0]], reverse)
        folds.add(kernel, [x], axis, ["%c0 = arith.ori %b0, %b0 : i32"], lambda a, b: [b[0]], reverse)
        region = ["%c0 = arith.ori %b1, %b1 : i32", "%c1 = arith.ori %a0, %a0 : i32"]
        folds.add(kernel, [x, y], axis, region, lambda a, b: [b[1], a[0]], reverse)
    return kernel.case("arguments", gpu="the order on a GPU is its layout's")


def returned_as_they_are(reverse):
    kernel = tiles.Kernel(2)
    for shape, axis in [((16,), 0), ((4, 8), 1), ((4, 8), 0)]:
        x, y = kernel.dense("i32", shape), kernel.dense("f32", shape)
        before = len(kernel.lines)
        folds.add(kernel, [x, y], axis, [], lambda a, b: [a[0], b[1]], reverse)
        name = "reduce" if reverse is None else "scan"
        for i in range(before, len(kernel.lines)):
            kernel.lines[i] = kernel.lines[i].replace(f"tt.{name}.return %c0, %c1", f"tt.{name}.return %a0, %b1")
    return kernel.case("returned as they are", gpu="the order on a GPU is its layout's")


def from_outside(reverse):
    """The region uses a scalar of the kernel around it."""
    kernel = tiles.Kernel(3)
    outside = kernel.dense("i32", ())
    for shape, axis in [((16,), 0), ((4, 8), 1), ((4, 8), 0)]:
        x = kernel.dense("i32", shape)
        region = [f"%0 = arith.xori %a0, {outside.name} : i32", "%c0 = arith.addi %0, %b0 : i32"]

        def combine(a, b):
            with np.errstate(all="ignore"):
                return [(a[0] ^ outside.values) + b[0]]

        folds.add(kernel, [x], axis, region, combine, reverse)
    return kernel.case("a value from outside", gpu="the order on a GPU is its layout's")


def all_cases(reverse):
    yield arguments(reverse)
    yield returned_as_they_are(reverse)
    yield from_outside(reverse)


def cases():
    yield from all_cases(None)
