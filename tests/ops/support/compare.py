"""Compares results with a reference, and says of the first element that differs everything that helps."""

from __future__ import annotations

import numpy as np
from support import elements
from support.case import Exact, Ulp


def ordered(array: np.ndarray) -> np.ndarray:
    """Floats as integers (in an object of Python ints for 64 bits' sake) that count representable values; -0 is 0."""
    raw = elements.bits(array)
    size = raw.dtype.itemsize * 8
    magnitude = (raw & raw.dtype.type((1 << (size - 1)) - 1)).astype(np.int64)
    return np.where(raw >> raw.dtype.type(size - 1) != 0, -magnitude, magnitude)


def steps_apart(got: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """How many representable values lie between, as floats; NaN with a number is infinitely far."""
    a, b = ordered(got), ordered(expected)
    distance = np.abs(a.astype(np.float64) - b.astype(np.float64))
    near = distance < 2.0**52
    distance[near] = np.abs(a[near] - b[near])
    return settle_nan(got, expected, distance)


def settle_nan(got: np.ndarray, expected: np.ndarray, distance: np.ndarray) -> np.ndarray:
    nan_got, nan_expected = elements.is_nan(got), np.isnan(expected.astype(np.longdouble))
    distance = np.where(nan_got != nan_expected, np.inf, distance)
    return np.where(nan_got & nan_expected, 0.0, distance)


def ulp_error(got: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """|got - exact| in units in the last place of `exact` in got's type; `exact` has a wider type."""
    form = elements.FORMAT[elements.name_of(got.dtype)]
    value, wide = got.astype(np.longdouble), exact.astype(np.longdouble)
    _, exponent = np.frexp(wide)  # in [0.5, 1) * 2^exponent
    exponent = np.where(wide == 0, form.lowest_exponent, np.maximum(exponent - 1, form.lowest_exponent))
    unit = np.ldexp(np.longdouble(1), exponent - (form.precision - 1))
    limit = np.longdouble(form.largest)
    unit_of_largest = np.ldexp(np.longdouble(1), np.frexp(limit)[1] - form.precision)
    overflows = np.abs(wide) > limit + unit_of_largest / 2
    with np.errstate(all="ignore"):
        error = np.abs(value - wide) / unit
        error = np.where(overflows, np.where(np.isinf(value) & (np.sign(value) == np.sign(wide)), 0.0, 1.0), error)
        error = np.where(overflows & (np.abs(value) < limit), np.inf, error)
    return settle_nan(got, exact, error.astype(np.float64))


def same(got: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """The same bits, or both NaN."""
    equal = elements.bits(got) == elements.bits(expected)
    return equal | (elements.is_nan(got) & elements.is_nan(expected))


def distances(got: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Zero where equal; units in the last place for floats; infinity where something else differs."""
    if expected.dtype != got.dtype:
        assert elements.is_float(got.dtype) and expected.dtype.kind == "f", f"{expected.dtype} cannot check {got.dtype}"
        return ulp_error(got, expected)
    equal = same(got, expected)
    if not elements.is_float(got.dtype):
        return np.where(equal, 0.0, np.inf)
    return np.where(equal, 0.0, np.maximum(steps_apart(got, expected), 0.0))


def spell(value: np.ndarray) -> str:
    """1.5 (0x3fc00000)."""
    number = value.astype(np.float64) if elements.is_float(value.dtype) else value
    return f"{number!s} (0x{int(elements.bits(value.reshape(1))[0]):0{value.dtype.itemsize * 2}x})"


def describe(place: tuple, got: np.ndarray, expected: np.ndarray, inputs: list, source: str) -> str:
    lines = [f"at {list(map(int, place))}"]
    for i, array in enumerate(inputs):
        if isinstance(array, np.ndarray) and array.shape == got.shape:
            lines.append(f"  input {i}   {spell(array[place])}")
        elif not isinstance(array, np.ndarray):
            lines.append(f"  input {i}   {array}")
    lines.append(f"  got       {spell(got[place])}")
    lines.append(f"  {source:9} {spell(expected[place]) if expected.dtype == got.dtype else repr(expected[place])}")
    return "\n".join(lines)


def check(got: list, expected: list, inputs: list, bound, source: str) -> str | None:
    """None if all outputs are within the bound, else what is wrong. `source`: 'expected' or 'H200'."""
    if not isinstance(bound, (Exact, Ulp)):
        return bound(got, expected, inputs)
    for index, (mine, theirs) in enumerate(zip(got, expected)):
        if mine is None:
            return f"output {index} was not written"
        if theirs is None:
            continue
        if isinstance(bound, Exact) and theirs.dtype == mine.dtype:
            wrong = ~same(mine, theirs)
        else:
            wrong = ~(distances(mine, theirs) <= (bound.most if isinstance(bound, Ulp) else 0.5))
        if wrong.any():
            place = tuple(np.argwhere(wrong)[0])
            worst = distances(mine, theirs).max()
            head = f"output {index}: {int(wrong.sum())} of {wrong.size} elements differ, by {worst:g} ulp at most; the first is"
            return f"{head} {describe(place, mine, theirs, inputs, source)}"
    return None
