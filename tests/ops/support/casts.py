"""Casts: every value of 8- and 16-bit sources, special and random ones of wider ones, and what they must give."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from support import elements, kernels, values
from support.case import Case
from support.float_binary import SHAPES

COUNT = 4096


def sources(element: str) -> np.ndarray:
    """All values up to 16 bits; else special ones, numbers beside the limits of every narrower type, and random bits."""
    if elements.width(element) <= 16:
        return values.all_bits(element)
    if not elements.is_float(element):
        return np.concatenate([beside_powers(element), values.integers(element, COUNT)])[:COUNT]
    return np.concatenate([beside_limits(element), values.floats(element, COUNT)])[:COUNT]


def beside_powers(element: str) -> np.ndarray:
    """Integers about powers of two, with low bits that decide a rounding."""
    size = elements.width(element)
    numbers = []
    for power in range(6, size):
        for precision in (3, 4, 8, 11, 24, 53):
            half = 1 << max(power - precision, 0)
            numbers += [(1 << power) + half + step for step in (-1, 0, 1)] + [(1 << power) + 3 * half + step for step in (-1, 0, 1)]
    numbers = sorted({n for n in numbers if n < 1 << size})
    chosen = numbers[:: max(1, len(numbers) // 1200)]
    return elements.from_bits(np.array(chosen + [(1 << size) - n for n in chosen], dtype=np.uint64), element)


def beside_limits(element: str) -> np.ndarray:
    """Ties, limits and subnormals of the narrower float types, the limits of the integers, and their neighbours."""
    centres = [2.0**p for p in (7, 8, 15, 16, 31, 32, 53, 63, 64)] + [2.0**p - 1 for p in (7, 8, 15, 16, 31, 32)]
    centres += [0.5, 1.5, 2.5, 0.9999, 300.0, 1e10, 1e20]
    for name, form in elements.FORMAT.items():
        if form.precision >= elements.FORMAT[element].precision:
            continue
        least = 2.0 ** (form.lowest_exponent - form.precision + 1)
        unit = 2.0 ** (1 - form.precision)
        centres += [1 + unit / 2, 1 + 3 * unit / 2, 1.5 + unit / 2, 2 - unit / 2, least / 2, least, 3 * least / 2, 5 * least / 2]
        top = np.longdouble(form.largest)
        centres += [float(top), float(top * (1 + np.longdouble(unit) / 4)), float(top + top * unit / 2), 2.0**form.lowest_exponent]
    dtype = elements.DTYPE[element]
    with np.errstate(all="ignore"):
        middle = np.array(centres).astype(dtype)
    middle = middle[np.isfinite(middle)]
    near = [middle, np.nextafter(middle, dtype.type(np.inf)), np.nextafter(middle, dtype.type(0))]
    both = np.concatenate([sign * part for part in near for sign in (dtype.type(1), dtype.type(-1))])
    return np.unique(elements.bits(both)).view(dtype)


def cases(op: str, froms: list[str], tos: list[str], reference: Callable, fits: Callable = lambda a, b: a != b, gpu: Callable = lambda a, b: True) -> Iterator[Case]:
    """`op`: its line between "%r = " and the types, "OP %a ... : FROM to TO" with the words FROM and TO.
    `reference(array, to)`; `gpu(a, b)`: True, or why the GPU is not asked."""
    for source in froms:
        for target in tos:
            if not fits(source, target):
                continue
            given = sources(source)
            yield case(f"{source} to {target}", op, source, target, given, reference, None, gpu=gpu(source, target))


def ranks(op: str, source: str, target: str, reference: Callable, **options) -> Iterator[Case]:
    for label, shape in SHAPES.items():
        given = values.some(source, 64 if shape == () else 256, 3)
        yield case(f"{source} to {target} {label}", op, source, target, given, reference, shape, **options)


def case(name: str, op: str, source: str, to: str, given, reference, shape=None, **options) -> Case:
    line = "%r = " + op.replace("FROM", f"TILE({source})").replace("TO", f"TILE({to})")
    return kernels.elementwise(name, line, {"a": given}, {"r": to}, lambda array: reference(array, to), shape, **options)
