"""Cases of a binary integer op in i1, i8, i16, i32, i64 against Python's integers: all pairs of i1 and i8, every pair of special
values and random ones else, and ranks from 0 to 5."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from support import compare, elements, kernels, references, strided, structured, values
from support.case import Case, Exact

COUNT = 2048
SHAPES = {"scalar": (), "matrix": (8, 16), "rank5": (2, 4, 2, 4, 4)}


def where_divisor_is_not_zero(outputs, answers, inputs):
    """What the GPU gives for a division by zero depends on the instructions around it (S-20)."""
    divides = inputs[1] != 0
    kept = [np.where(divides, array, np.zeros(1, array.dtype)) for array in (outputs[0], answers[0])]
    return compare.check(kept[:1], kept[1:], inputs, Exact(), "H200")


def operands(element: str, count: int = COUNT):
    if element == "i1":
        return values.all_pairs("i1")
    return values.pairs(element, 65536 if element == "i8" else count)


def cases(op: str, function: Callable, is_signed: bool, only: list[str] | None = None, with_width: bool = False, divides: bool = False) -> Iterator[Case]:
    """`function(a, b)` on Python integers (with_width: and the width as a third); its result wraps to the type."""
    options = {"gpu_bound": where_divisor_is_not_zero} if divides else {}
    for element in only or elements.INTEGERS:
        a, b = operands(element)
        yield case(element, op, element, a, b, function, is_signed, with_width, **options)
    for label, shape in SHAPES.items():
        a, b = values.pairs("i32", 64 if shape == () else 256)
        yield case(f"i32_{label}", op, "i32", a, b, function, is_signed, with_width, shape=shape, **options)
    for element in ("i8", "i32", "i64"):
        called = by_width(function, element) if with_width else function
        yield structured.integer_case(op, element, called, is_signed)
    for element in ("i8", "i64"):
        called = by_width(function, element) if with_width else function
        gpu = "some divisors are zero" if divides else "a number shifted by itself is folded" if with_width else True
        yield strided.case(op, element, references.on_integers(called, element, is_signed), gpu=gpu)
    on_bits = references.on_integers(by_width(function, "i1") if with_width else function, "i1", is_signed)
    yield structured.mask_case(op, lambda a, b: on_bits(a, b).reshape(np.shape(a)))


def by_width(function: Callable, element: str) -> Callable:
    return lambda x, y: function(x, y, elements.width(element))


def case(name, op, element, a, b, function, is_signed, with_width, shape=None, **options) -> Case:
    called = by_width(function, element) if with_width else function
    reference = references.on_integers(called, element, is_signed)
    line = f"%r = {op} %a, %b : TILE({element})"
    return kernels.elementwise(name, line, {"a": a, "b": b}, {"r": element}, reference, shape, **options)
