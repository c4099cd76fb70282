"""Element types: TTIR's names, the NumPy (ml_dtypes) type that holds their values, and the integer type of their bits."""

from __future__ import annotations

from dataclasses import dataclass

import ml_dtypes
import numpy as np


@dataclass(frozen=True)
class FloatFormat:
    """A float format: `precision` counts the hidden bit; exponents are those of 1.x * 2^e."""

    precision: int
    lowest_exponent: int
    largest: float
    has_infinity: bool
    has_negative_zero: bool = True


DTYPE = {
    "i1": np.dtype(np.bool_),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "f8E4M3FN": np.dtype(ml_dtypes.float8_e4m3fn),
    "f8E5M2": np.dtype(ml_dtypes.float8_e5m2),
    "f8E4M3FNUZ": np.dtype(ml_dtypes.float8_e4m3fnuz),
    "f8E5M2FNUZ": np.dtype(ml_dtypes.float8_e5m2fnuz),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}
FORMAT = {
    "f8E4M3FN": FloatFormat(4, -6, 448.0, False),
    "f8E5M2": FloatFormat(3, -14, 57344.0, True),
    "f8E4M3FNUZ": FloatFormat(4, -7, 240.0, False, False),
    "f8E5M2FNUZ": FloatFormat(3, -15, 57344.0, False, False),
    "f16": FloatFormat(11, -14, 65504.0, True),
    "bf16": FloatFormat(8, -126, float.fromhex("0x1.fep127"), True),
    "f32": FloatFormat(24, -126, float.fromhex("0x1.fffffep127"), True),
    "f64": FloatFormat(53, -1022, float.fromhex("0x1.fffffffffffffp1023"), True),
}
BITS = {1: np.dtype(np.uint8), 2: np.dtype(np.uint16), 4: np.dtype(np.uint32), 8: np.dtype(np.uint64)}
NAME = {dtype: name for name, dtype in DTYPE.items()} | {
    np.dtype(np.uint8): "i8",
    np.dtype(np.uint16): "i16",
    np.dtype(np.uint32): "i32",
    np.dtype(np.uint64): "i64",
}

INTEGERS = ["i1", "i8", "i16", "i32", "i64"]
FLOAT8 = ["f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ"]
FLOATS = ["f16", "bf16", "f32", "f64"]


def dtype_of(element) -> np.dtype:
    """The NumPy type of a TTIR name, or of anything that NumPy takes for a type."""
    return DTYPE[element] if isinstance(element, str) and element in DTYPE else np.dtype(element)


def name_of(dtype) -> str:
    """The TTIR name of a NumPy type (signless integers)."""
    return NAME[np.dtype(dtype)]


def width(element: str) -> int:
    """Bits of a value: 1 for i1, else 8 times the size."""
    return 1 if element == "i1" else DTYPE[element].itemsize * 8


def is_float(element) -> bool:
    return (element if isinstance(element, str) else name_of(element)) in FORMAT


def bits(array: np.ndarray) -> np.ndarray:
    """The same memory as unsigned integers."""
    return np.ascontiguousarray(array).view(BITS[array.dtype.itemsize])


def from_bits(raw: np.ndarray, element) -> np.ndarray:
    """Unsigned integers as values of the type; i1 takes the lowest bit."""
    dtype = dtype_of(element)
    if dtype == np.bool_:
        return (raw & 1).astype(np.bool_)
    return np.ascontiguousarray(raw).astype(BITS[dtype.itemsize]).view(dtype)


def is_nan(array: np.ndarray) -> np.ndarray:
    """Also for the types that NumPy does not know."""
    if not is_float(array.dtype):
        return np.zeros(array.shape, np.bool_)
    return np.isnan(array.astype(np.float64))
