"""Integers as floats, rounded once: by Python's integers, not through another float type."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from support import casts, elements, references

NO_F8 = "Triton converts to f32 first"


def nearest(number: int, precision: int) -> Fraction:
    """The nearest number of so many significant bits, ties to even."""
    drop = max(abs(number).bit_length() - precision, 0)
    return Fraction(round(Fraction(number, 1 << drop)) << drop)


def converted(read, array, to):
    form = elements.FORMAT[to]
    numbers = [nearest(number, form.precision) for number in read(array)]
    if to == "f64":
        return np.array([float(n) for n in numbers])
    over = "saturate" if to in elements.FLOAT8 else "infinity"
    return references.rounded(np.array([float(n) for n in numbers]), to, over)


def cases(op: str, read):
    def reference(array, to):
        return converted(read, array, to)

    kinds = elements.FLOAT8 + elements.FLOATS
    gpu = lambda a, b: NO_F8 if b in elements.FLOAT8 else True  # noqa: E731
    yield from casts.cases(f"{op} %a : FROM to TO", elements.INTEGERS, kinds, reference, lambda a, b: True, gpu)
    yield from casts.ranks(f"{op} %a : FROM to TO", "i32", "f32", reference)
