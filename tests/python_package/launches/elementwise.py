"""What operators and elementwise functions give on NumPy arrays of one type (promotion has happened): integers by
Python's ints, floats by NumPy's operations in float32 or float64 with one rounding.
"""

from __future__ import annotations

import numpy as np
from conversion import as_ints, convert, wrapped
from scalar_types import TYPES, is_float, is_signed

COMPARISONS = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}


def through(name: str) -> str:
    """The type in which a float operation is computed before its one rounding."""
    return "fp64" if name == "fp64" else "fp32"


def in_float(name: str, function, *operands: np.ndarray) -> np.ndarray:
    wide = [each.astype(TYPES[through(name)].numpy) for each in operands]
    with np.errstate(all="ignore"):
        return convert(np.asarray(function(*wide), dtype=TYPES[through(name)].numpy), through(name), name)


def in_ints(name: str, function, *operands: np.ndarray) -> np.ndarray:
    operands = np.broadcast_arrays(*operands)
    flat = [as_ints(each).ravel() for each in operands]
    numbers = [function(*each) for each in zip(*flat)]
    return wrapped(np.array(numbers, dtype=object).reshape(operands[0].shape), name)


def truncated_quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a: int, b: int) -> int:
    return a - b * truncated_quotient(a, b)


INTEGER_OPS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": truncated_quotient,
    "%": remainder,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    "minimum": min,
    "maximum": max,
}
FLOAT_OPS = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "%": np.fmod}


def extreme(name: str, largest: bool, a: np.ndarray, b: np.ndarray, keep_nan: bool = False) -> np.ndarray:
    """minimum or maximum: a number wins against NaN, or loses with `keep_nan`; -0 is below +0."""
    a, b = np.broadcast_arrays(a, b)
    x, y = a.astype(np.float64), b.astype(np.float64)
    take_x = np.where(x == y, np.signbit(x) != largest, (x > y) == largest)
    chosen = np.where(take_x, x, y)
    if keep_nan:
        chosen = np.where(np.isnan(x) | np.isnan(y), np.nan, chosen)
    else:
        chosen = np.where(np.isnan(x), y, np.where(np.isnan(y), x, chosen))
    return chosen.astype(TYPES[name].numpy)


def binary(op: str, name: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The operator on two arrays of the type; comparisons give booleans."""
    if op in COMPARISONS:
        if is_float(name):
            return COMPARISONS[op](a.astype(np.float64), b.astype(np.float64))
        return COMPARISONS[op](a, b)
    if not is_float(name):
        return in_ints(name, INTEGER_OPS[op], a, b)
    if op in ("minimum", "maximum"):
        return extreme(name, op == "maximum", a, b)
    return in_float(name, FLOAT_OPS[op], a, b)


def shifted_right(name: str, keeps_sign: bool, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """>> of the bits of a, with or without their sign (which is the left operand's, from before it was promoted)."""
    size = 1 << TYPES[name].bits

    def shift(x: int, amount: int) -> int:
        x %= size
        return (x - size if keeps_sign and 2 * x >= size else x) >> amount

    return in_ints(name, shift, a, b)


def negated(name: str, a: np.ndarray) -> np.ndarray:
    """0 - x."""
    return binary("-", name, np.zeros_like(a), a)


def absolute(name: str, a: np.ndarray) -> np.ndarray:
    if is_float(name):
        return np.copysign(a.astype(np.float64), 1.0).astype(TYPES[name].numpy)
    return in_ints(name, abs, a) if is_signed(name) else a


def selected(condition: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.where(condition, a, b)
