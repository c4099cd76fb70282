"""Floats as integers, toward zero. MLIR leaves what does not fit undefined; the GPU saturates (i8: in 16 bits, of which the
low byte is kept) and turns NaN to 0, or to the top bit alone where either side has 64 bits."""

from __future__ import annotations

import numpy as np
from support import casts, elements, references

INTEGERS = ["i8", "i16", "i32", "i64"]
NO_F8 = "Triton converts to f32 first"


def converted(array, to: str, is_signed: bool):
    width = max(elements.width(to), 16)
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed else (0, (1 << width) - 1)
    source = elements.name_of(array.dtype)
    of_nan = 1 << (width - 1) if "i64" == to or source == "f64" else 0
    numbers = []
    for value in references.wide(array):
        if np.isnan(value):
            numbers.append(of_nan)
        elif np.isinf(value):
            numbers.append(high if value > 0 else low)
        else:
            numbers.append(min(max(int(value), low), high))
    return references.wrapped(numbers, to)


def cases(op: str, is_signed: bool):
    def reference(array, to):
        return converted(array, to, is_signed)

    gpu = lambda a, b: NO_F8 if a in elements.FLOAT8 else True  # noqa: E731
    yield from casts.cases(f"{op} %a : FROM to TO", elements.FLOAT8 + elements.FLOATS, INTEGERS, reference, lambda a, b: True, gpu)
    yield from casts.ranks(f"{op} %a : FROM to TO", "f32", "i32", reference)
