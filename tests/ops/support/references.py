"""References: rounding by its definition and integer arithmetic with Python's integers. Nothing here comes from Lockstep."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from support import elements


def rounded(values: np.ndarray, element: str, overflow: str = "infinity") -> np.ndarray:
    """Float64 values rounded once to the type, to nearest even.

    `overflow`: "infinity" (or NaN in a type without one), or "saturate" (infinities too)."""
    dtype, form = elements.DTYPE[element], elements.FORMAT[element]
    wide = np.asarray(values, dtype=np.float64)
    if element == "f64":
        return wide
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(np.where(np.isfinite(wide), wide, 0.0))
        unit = np.maximum(exponent - form.precision, form.lowest_exponent - form.precision + 1)
        near = np.ldexp(np.rint(np.ldexp(wide, -unit)), unit)
        near = np.where(np.isfinite(wide), near, wide)
        too_large = np.abs(near) > form.largest
        if overflow == "saturate":
            near = np.where(too_large, np.copysign(form.largest, near), near)
        elif not form.has_infinity:
            near = np.where(too_large, np.nan, near)
        else:
            near = np.where(too_large, np.copysign(np.inf, near), near)
        result = near.astype(dtype)
        if not form.has_negative_zero:
            result = np.where(near == 0, np.zeros(1, dtype), result).astype(dtype)
        return result


def toward_zero(array: np.ndarray, element: str) -> np.ndarray:
    """Rounded toward zero: a finite value never becomes infinite."""
    dtype, form = elements.DTYPE[element], elements.FORMAT[element]
    values = wide(array)
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(np.where(np.isfinite(values), values, 0.0))
        unit = np.maximum(exponent - form.precision, form.lowest_exponent - form.precision + 1)
        cut = np.where(np.isfinite(values), np.ldexp(np.trunc(np.ldexp(values, -unit)), unit), values)
        cut = np.where(np.isfinite(values) & (np.abs(cut) > form.largest), np.copysign(form.largest, cut), cut)
        return cut.astype(dtype)


def wide(array: np.ndarray) -> np.ndarray:
    """As float64, exactly."""
    return array.astype(np.float64)


def once_rounded(function: Callable, element: str, overflow: str = "infinity") -> Callable:
    """A reference: `function` in float64 and rounded once (right for + - * / sqrt on types of up to 25 bits of
    significand, where rounding twice cannot differ); in the type itself for f32 and f64."""

    def reference(*arrays):
        with np.errstate(all="ignore"):
            if element in ("f32", "f64"):
                return function(*arrays).astype(elements.DTYPE[element])
            return rounded(function(*(wide(array) for array in arrays)), element, overflow)

    return reference


def signed(array: np.ndarray) -> list[int]:
    """Two's complement values (i1: 0 and -1)."""
    if array.dtype == np.bool_:
        return [-int(v) for v in array.ravel()]
    return [int(v) for v in elements.bits(array).view(np.dtype(f"i{array.dtype.itemsize}")).ravel()]


def unsigned(array: np.ndarray) -> list[int]:
    return [int(v) for v in elements.bits(array).ravel()]


def wrapped(numbers: list[int], element: str) -> np.ndarray:
    """Python integers modulo 2^width as the type."""
    size = elements.width(element)
    raw = np.array([number & ((1 << size) - 1) for number in numbers], dtype=np.uint64)
    return elements.from_bits(raw, element)


def on_integers(function: Callable, element: str, is_signed: bool) -> Callable:
    """A reference: `function(*Python integers)` element by element, wrapped to the type."""
    read = signed if is_signed else unsigned

    def reference(*arrays):
        return wrapped([function(*numbers) for numbers in zip(*(read(array) for array in arrays))], element)

    return reference
