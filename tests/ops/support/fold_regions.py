"""Regions of tt.reduce and tt.scan beyond element-wise ops: control flow, values from outside, operands of several types."""

from __future__ import annotations

import numpy as np
from support import elements, folds, references, tiles, values

BRANCH = [
    "%more = arith.cmpi sgt, %a0, %b0 : i32",
    "%c0 = scf.if %more -> (i32) {",
    "  %d = arith.subi %a0, %b0 : i32",
    "  scf.yield %d : i32",
    "} else {",
    "  %s = arith.addi %a0, %b0 : i32",
    "  scf.yield %s : i32",
    "}",
]


def branch(a, b):
    with np.errstate(all="ignore"):
        return [np.where(a[0] > b[0], a[0] - b[0], a[0] + b[0])]


LOOP = [
    "%zero = arith.constant 0 : i32",
    "%one = arith.constant 1 : i32",
    "%three = arith.constant 3 : i32",
    "%c0 = scf.for %i = %zero to %three step %one iter_args(%v = %a0) -> (i32) : i32 {",
    "  %x = arith.xori %v, %b0 : i32",
    "  %n = arith.addi %x, %i : i32",
    "  scf.yield %n : i32",
    "}",
]


def loop(a, b):
    value = a[0]
    with np.errstate(all="ignore"):
        for i in range(3):
            value = (value ^ b[0]) + np.int32(i)
    return [value]


DIVIDE_WHILE = [
    "%zero = arith.constant 0 : i32",
    "%high = arith.constant 255 : i32",
    "%two = arith.constant 2 : i32",
    "%sum = arith.addi %a0, %b0 : i32",
    "%c0 = scf.while (%v = %sum) : (i32) -> i32 {",
    "  %big = arith.cmpi sgt, %v, %high : i32",
    "  scf.condition(%big) %v : i32",
    "} do {",
    "^bb0(%v: i32):",
    "  %h = arith.divsi %v, %two : i32",
    "  scf.yield %h : i32",
    "}",
]


def divide_while(a, b):
    with np.errstate(all="ignore"):
        value = a[0] + b[0]
    while (value > 255).any():
        value = np.where(value > 255, value // 2, value)
    return [value]


# Mean, sum of squares and count of two parts; types differ. 2 comes from outside.
THREE = [
    "%c2 = arith.addi %a2, %b2 : i64",
    "%c0 = arith.addf %a0, %b0 : f32",
    "%half = arith.mulf %a1, %b1 : f16",
    "%wide = arith.extf %half : f16 to f32",
    "%scaled = arith.mulf %wide, %outside : f32",
    "%c1 = arith.truncf %scaled : f32 to f16",
]


def three(a, b):
    half = references.rounded(a[1].astype(np.float64) * b[1].astype(np.float64), "f16")
    scaled = half.astype(np.float32) * np.float32(2)
    return [a[0] + b[0], references.rounded(scaled.astype(np.float64), "f16"), a[2] + b[2]]


SWAP = ["%c0 = arith.maxsi %b0, %a0 : i32", "%c1 = arith.minsi %a1, %b1 : i32", "%kept = arith.addi %c0, %c1 : i32"]


def moderate(kernel: tiles.Kernel, element: str, shape, seed: int) -> tiles.Tile:
    count = tiles.count_of(shape)
    if elements.is_float(element):
        flat = kernel.loaded(values.moderate_floats(element, count, seed), element)
    else:
        flat = kernel.loaded((values.random_bits(count, seed) % np.uint64(1000)).astype(elements.DTYPE[element]), element)
    return kernel.reshape(flat, shape)


def cases(is_scan: bool):
    gpu = "the order on a GPU is its layout's"
    for name, region, combine in (("scf.if", BRANCH, branch), ("scf.for", LOOP, loop), ("scf.while", DIVIDE_WHILE, divide_while)):
        kernel = tiles.Kernel(8000)
        for number, (shape, axis) in enumerate(folds.SHAPES):
            for reverse in folds.directions(is_scan):
                folds.add(kernel, [moderate(kernel, "i32", shape, 8000 + number)], axis, region, combine, reverse)
        yield kernel.case(f"region with {name}", gpu=gpu)
    kernel = tiles.Kernel(8200)
    kernel.lines.append("%outside = arith.constant 2.0 : f32")
    for number, (shape, axis) in enumerate(folds.SHAPES):
        sources = [moderate(kernel, element, shape, 8200 + number) for element in ("f32", "f16", "i64")]
        for reverse in folds.directions(is_scan):
            folds.add(kernel, sources, axis, THREE, three, reverse)
    yield kernel.case("three types and a value from outside", gpu=gpu)
    kernel = tiles.Kernel(8300)
    for shape, axis in folds.SHAPES:
        sources = [kernel.dense("i32", shape), kernel.dense("i32", shape)]
        for reverse in folds.directions(is_scan):
            folds.add(kernel, sources, axis, SWAP, lambda a, b: [np.maximum(a[0], b[0]), np.minimum(a[1], b[1])], reverse)
    yield kernel.case("two extremes")
    kernel = tiles.Kernel(8400)
    for shape, axis in folds.SHAPES:
        sources = [kernel.dense("i32", shape)]
        for region, pick in ((["%unused = arith.addi %a0, %b0 : i32"], 0), ([], 1)):
            named = [*region, f"%c0 = arith.bitcast {'%a0' if pick == 0 else '%b0'} : i32 to i32"]
            for reverse in folds.directions(is_scan):
                folds.add(kernel, sources, axis, named, lambda a, b, p=pick: [b[0] if p else a[0]], reverse)
    yield kernel.case("first and last", gpu=gpu)
