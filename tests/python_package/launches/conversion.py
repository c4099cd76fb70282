"""Values of Triton's types and how one becomes another, as a reference: integers by Python's, floats by fractions and
NumPy.

Arrays have the NumPy type of `scalar_types.TYPES`. `convert` follows the table of casts as an H200 showed it: one
rounding to nearest even (or toward zero), saturating conversions to integers and to 8-bit floats. It never calls
Lockstep.
"""

from __future__ import annotations

import numpy as np
from scalar_types import FLOAT8, TYPES, is_float, is_signed, kind

LARGEST8 = {"fp8e4nv": 448.0, "fp8e5": 57344.0}


def array(values, name: str) -> np.ndarray:
    """Numbers that fit the type, as an array of it."""
    return np.asarray(values).astype(TYPES[name].numpy)


def wrapped(numbers, name: str) -> np.ndarray:
    """Python ints modulo the width of the type."""
    numbers = np.asarray(numbers, dtype=object)
    bits = TYPES[name].bits
    if bits == 1:
        return np.array([int(n) & 1 for n in numbers.ravel()], dtype=bool).reshape(numbers.shape)
    raw = np.array([int(n) & ((1 << bits) - 1) for n in numbers.ravel()], dtype=np.uint64).reshape(numbers.shape)
    return raw.astype(f"uint{bits}").view(TYPES[name].numpy)


def as_ints(values: np.ndarray) -> np.ndarray:
    """Integers (or booleans) as Python ints, by the type's own sign."""
    return np.array([int(v) for v in values.ravel()], dtype=object).reshape(values.shape)


def round_integer(number: int, precision: int, lowest_exponent: int = -(10**9)) -> float:
    """An integer rounded to `precision` significant bits, ties to even; exact as a float64 for up to 53."""
    excess = max(abs(number).bit_length() - precision, 0)
    if not excess:
        return float(number)
    quotient, rest = divmod(abs(number), 1 << excess)
    half = 1 << (excess - 1)
    quotient += rest > half or (rest == half and quotient & 1)
    return float(quotient << excess) * (1 if number >= 0 else -1)


def integers_to_float(values: np.ndarray, name: str) -> np.ndarray:
    rounded = [round_integer(int(v), TYPES[name].precision) for v in values.ravel()]
    with np.errstate(over="ignore"):
        return np.array(rounded, dtype=np.float64).reshape(values.shape).astype(TYPES[name].numpy)


def floats_to_integer(values: np.ndarray, source: str, name: str) -> np.ndarray:
    """Toward zero; what does not fit saturates in at least 16 bits, NaN is 0 or the top bit alone."""
    width = max(TYPES[name].bits, 16)
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed(name) else (0, (1 << width) - 1)
    of_nan = 1 << (width - 1) if TYPES[name].bits == 64 or source == "fp64" else 0
    numbers = []
    for value in values.astype(np.float64).ravel():
        if np.isnan(value):
            numbers.append(of_nan)
        elif np.isinf(value):
            numbers.append(high if value > 0 else low)
        else:
            numbers.append(min(max(int(value), low), high))
    return wrapped(np.array(numbers, dtype=object).reshape(values.shape), name)


def floats_to_float8(values: np.ndarray, name: str) -> np.ndarray:
    """One rounding to nearest even; too large is the largest number, NaN stays."""
    wide = values.astype(np.float64)
    largest = LARGEST8[name]
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(np.abs(wide))
        unit = np.exp2(np.maximum(exponent, {"fp8e4nv": -5, "fp8e5": -13}[name]) - TYPES[name].precision)
        near = np.minimum(np.rint(np.abs(wide) / unit) * unit, largest)
    return np.where(np.isnan(wide), np.nan, np.copysign(near, wide)).astype(TYPES[name].numpy)


def toward_zero(values: np.ndarray, name: str) -> np.ndarray:
    """fp32 cut to fp16 or bf16: what overflows is the largest number."""
    wide = values.astype(np.float64)
    with np.errstate(all="ignore"):
        near = wide.astype(TYPES[name].numpy)
        away = np.abs(near.astype(np.float64)) > np.abs(wide)
    bits = near.view(np.uint16)
    return np.where(away, bits - 1, bits).astype(np.uint16).view(TYPES[name].numpy)


def convert(values: np.ndarray, source: str, name: str, rounding: str = "") -> np.ndarray:
    """x.to(name), from values of the type `source`."""
    if source == name:
        return values
    if kind(name) == "bool":
        return values.astype(np.float64) != 0 if is_float(source) else values != 0
    if not is_float(source):
        return integers_to_float(values, name) if is_float(name) else wrapped(as_ints(values), name)
    if not is_float(name):
        return floats_to_integer(values, source, name)
    if name in FLOAT8:
        return floats_to_float8(values, name)
    if rounding == "rtz":
        return toward_zero(values, name)
    with np.errstate(all="ignore"):
        if source == "fp64" and name == "bf16":
            return _to_bfloat16(values)
        return (
            values.astype(np.float64).astype(TYPES[name].numpy)
            if source in FLOAT8
            else values.astype(TYPES[name].numpy)
        )


def _to_bfloat16(values: np.ndarray) -> np.ndarray:
    """From float64 in one step: an odd last bit of the float32 keeps ties from being made."""
    near = values.astype(np.float32)
    exact = near.astype(np.float64) == values
    toward = np.where(np.abs(near.astype(np.float64)) > np.abs(values), np.nextafter(near, np.float32(0)), near)
    odd = (toward.view(np.uint32) | np.uint32(1)).view(np.float32)
    keep = exact | np.isnan(values) | np.isinf(near)
    return np.where(keep, near, odd).astype(TYPES["bf16"].numpy)


def number_as(value: bool | float, name: str) -> np.ndarray:
    """A Python number made a constant of a type, 0-dimensional: integers wrap, floats go through a C float. Those of
    bf16 are read from six decimals, as Triton's builder does it: 1e-7 is 0."""
    with np.errstate(over="ignore"):
        if not is_float(name):
            return (
                convert(np.array(value, dtype=np.float32), "fp32", name)
                if isinstance(value, float)
                else wrapped(value, name)
            )
        if name == "fp64":
            return np.array(float(value))
        through = np.float32(value)
        if name == "bf16":
            through = np.float64(f"{through:.6f}")
            return _to_bfloat16(np.array(through))
        return np.array(through).astype(TYPES[name].numpy)


def bits_of(values: np.ndarray) -> np.ndarray:
    return values.view(f"uint{values.dtype.itemsize * 8}")


def in_longdouble(function, *operands: np.ndarray) -> np.ndarray:
    """A function of longer floats, as float64."""
    with np.errstate(all="ignore"):
        return np.asarray(function(*(each.astype(np.longdouble) for each in operands))).astype(np.float64)
