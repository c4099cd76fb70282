"""IEEE arithmetic with a rounding direction, by fractions: what libdevice's _rn, _rz, _rd and _ru functions must give."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import numpy as np
from support import elements

MODES = {"rn": "nearest", "rz": "zero", "rd": "down", "ru": "up"}


def to_integer(value: Fraction, mode: str) -> int:
    """A whole number near the fraction."""
    low = value.numerator // value.denominator
    if mode == "nearest":
        return round(value)
    if mode == "down":
        return low
    if mode == "up":
        return -(-value.numerator // value.denominator)
    return low if value >= 0 else -(-value.numerator // value.denominator)


def to_float(value: Fraction, element: str, mode: str) -> float:
    """The fraction (not 0) rounded once to f32 or f64, with overflow as IEEE 754 has it."""
    form = elements.FORMAT[element]
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    exponent -= magnitude < Fraction(2) ** exponent
    unit = Fraction(2) ** (max(exponent, form.lowest_exponent) - form.precision + 1)
    near = to_integer(value / unit, mode) * unit
    sign = 1.0 if value > 0 else -1.0
    if abs(near) > Fraction(form.largest):
        to_infinity = mode == "nearest" or mode == ("up" if sign > 0 else "down")
        return sign * (np.inf if to_infinity else form.largest)
    return float(np.copysign(float(near), sign))


def root(value: Fraction) -> Fraction:
    """The square root to 200 bits beyond f64's, and one bit more that says whether it is exact."""
    shift = 800
    scaled = value * (1 << (2 * shift))
    whole = isqrt(scaled.numerator // scaled.denominator)
    exact = whole * whole * scaled.denominator == scaled.numerator
    return Fraction(2 * whole + (0 if exact else 1), 1 << (shift + 1))


def apply(name: str, operands: list[float], element: str, mode: str) -> float:
    """One operation on finite or special numbers."""
    with np.errstate(all="ignore"):
        plain = special(name, [np.float64(x) for x in operands])
    if plain is not None and (np.isnan(plain) or np.isinf(plain) or all_finite_zero(name, operands)):
        return float(plain)
    x = [Fraction(v) for v in operands]
    value = {
        "add": lambda: x[0] + x[1],
        "sub": lambda: x[0] - x[1],
        "mul": lambda: x[0] * x[1],
        "div": lambda: x[0] / x[1],
        "rcp": lambda: 1 / x[0],
        "fma": lambda: x[0] * x[1] + x[2],
        "sqrt": lambda: root(x[0]),
    }[name]()
    if value == 0:
        return zero_of_sum(name, operands, mode)
    return to_float(value, element, mode)


def special(name: str, x: list[np.float64]):
    """float64's answer where an operand or the answer is special; None where fractions decide."""
    if name == "rcp":
        x = [np.float64(1.0), x[0]]
        name = "div"
    finite = all(np.isfinite(v) for v in x)
    if name == "div":
        return x[0] / x[1] if not finite or x[1] == 0 or x[0] == 0 else None
    if name == "sqrt":
        return np.sqrt(x[0]) if not finite or x[0] <= 0 else None
    if not finite:
        return {"add": lambda: x[0] + x[1], "sub": lambda: x[0] - x[1], "mul": lambda: x[0] * x[1],
                "fma": lambda: x[0] * x[1] + x[2]}[name]() if name != "fma" else special_fma(x)  # fmt: skip
    return x[0] * x[1] if name == "mul" and (x[0] == 0 or x[1] == 0) else None


def special_fma(x: list[np.float64]):
    """Only signs of the finite operands matter, which must not overflow."""
    a, b, c = (v if not np.isfinite(v) or v == 0 else np.sign(v) for v in x)
    return a * b + c


def all_finite_zero(name: str, operands: list[float]) -> bool:
    """Zeros whose sign float64 gives in every rounding direction."""
    return name in ("mul", "div", "sqrt", "rcp") and any(v == 0 or np.isinf(v) for v in operands)


def zero_of_sum(name: str, operands: list[float], mode: str) -> float:
    """An exact zero: -0 when all parts are -0 or when rounding down, unless all are +0."""
    if name == "add":
        parts = operands
    elif name == "sub":
        parts = [operands[0], -operands[1]]
    else:
        parts = [float(np.float64(np.sign(operands[0])) * np.sign(operands[1])), operands[2]]
        if parts[0] == 0:
            parts[0] = float(np.copysign(0.0, np.copysign(1.0, operands[0]) * np.copysign(1.0, operands[1])))
    signs = {bool(np.signbit(v)) for v in parts}
    if all(v == 0 for v in parts) and len(signs) == 1:
        return -0.0 if signs.pop() else 0.0
    return -0.0 if mode == "down" else 0.0


def saturated(value: float, element: str, bits: int, signed: bool, mode: str) -> int:
    """A float as an integer: saturates; NaN is 0 from f32 to 32 bits, else the top bit alone."""
    if np.isnan(value):
        return 0 if element == "f32" and bits == 32 else -(1 << (bits - 1)) if signed else 1 << (bits - 1)
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    if np.isinf(value):
        return high if value > 0 else low
    return min(max(to_integer(Fraction(float(value)), mode), low), high)
