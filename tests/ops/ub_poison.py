"""ub.poison: a value that must not matter; kernels that hold one and do not look at it give what they gave without."""

import numpy as np
from support import elements, kernels, values


def selected(element, shape=None):
    """The side of a select that nothing takes."""
    scalar = shape == ()
    lines = [
        f"%poison = ub.poison : TILE({element})",
        "%true = arith.constant true" if scalar else "%true = arith.constant dense<true> : TILE(i1)",
        f"%r = arith.select %true, %a, %poison : {element if scalar else f'TILE(i1), TILE({element})'}",
    ]
    a = np.resize(values.some(element, 256, 3), 64 if scalar else 256)
    gpu = "Triton has no constants in f8 types" if element in elements.FLOAT8 else True
    return kernels.elementwise(f"{element}{'_scalar' if scalar else ''}", lines, {"a": a}, {"r": element}, lambda a: a, shape, gpu=gpu)


def carried():
    """Poison as the start of a value that the loop overwrites."""
    lines = [
        "%poison = ub.poison : TILE(f32)",
        "%zero = arith.constant 0 : i32",
        "%two = arith.constant 2 : i32",
        "%one = arith.constant 1 : i32",
        "%r = scf.for %i = %zero to %two step %one iter_args(%x = %poison) -> (TILE(f32)) : i32 {",
        "  scf.yield %a : TILE(f32)",
        "}",
    ]
    return kernels.elementwise("carried", lines, {"a": values.floats("f32", 128)}, {"r": "f32"}, lambda a: a, (64,))


def pointer():
    """An address that no lane uses."""
    lines = [
        "%poison = ub.poison : tensor<64x!tt.ptr<f32>>",
        "%true = arith.constant dense<true> : TILE(i1)",
        "%at = arith.select %true, %a_at, %poison : TILE(i1), tensor<64x!tt.ptr<f32>>",
        "%r = tt.load %at : tensor<64x!tt.ptr<f32>>",
    ]
    return kernels.elementwise("pointer", lines, {"a": values.floats("f32", 128)}, {"r": "f32"}, lambda a: a, (64,))


def cases():
    for element in elements.INTEGERS + elements.FLOATS + elements.FLOAT8:
        yield selected(element)
    yield selected("i32", ())
    yield selected("f64", ())
    yield carried()
    yield pointer()
