"""Two's complement integers and IEEE floats for tile_programs.py: each operation on NumPy arrays or scalars of the element's own type."""

import numpy as np

NUMPY = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "f16": np.float16, "f32": np.float32, "f8E5M2": np.uint8, "ptr": np.int64}
WIDTH = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "f32": 32, "f8E5M2": 8}


def unsigned(array) -> np.ndarray:
    return np.asarray(array).astype(np.dtype(f"u{np.asarray(array).dtype.itemsize}"))


def on_unsigned(operation):
    return lambda x, y, kind: operation(unsigned(x), unsigned(y)).astype(NUMPY[kind])


def quotient(x, y, kind):
    """Rounds towards zero; the divisor is positive."""
    floor = np.floor_divide(x, y)
    return floor + ((floor < 0) & (floor * y != x))


BINARY = {
    "addi": lambda x, y, kind: x + y,
    "subi": lambda x, y, kind: x - y,
    "muli": lambda x, y, kind: x * y,
    "andi": lambda x, y, kind: x & y,
    "ori": lambda x, y, kind: x | y,
    "xori": lambda x, y, kind: x ^ y,
    "minsi": lambda x, y, kind: np.minimum(x, y),
    "maxsi": lambda x, y, kind: np.maximum(x, y),
    "minui": on_unsigned(np.minimum),
    "maxui": on_unsigned(np.maximum),
    "divsi": quotient,
    "remsi": lambda x, y, kind: x - quotient(x, y, kind) * y,
    "divui": on_unsigned(np.floor_divide),
    "remui": on_unsigned(np.remainder),
    "addf": lambda x, y, kind: x + y,
    "subf": lambda x, y, kind: x - y,
    "mulf": lambda x, y, kind: x * y,
    "minnumf": lambda x, y, kind: np.fmin(x, y),
    "maxnumf": lambda x, y, kind: np.fmax(x, y),
}
COMPARE = {
    "eq": np.equal,
    "ne": np.not_equal,
    "slt": np.less,
    "sle": np.less_equal,
    "sgt": np.greater,
    "sge": np.greater_equal,
    "ult": lambda x, y: unsigned(x) < unsigned(y),
    "ule": lambda x, y: unsigned(x) <= unsigned(y),
    "ugt": lambda x, y: unsigned(x) > unsigned(y),
    "uge": lambda x, y: unsigned(x) >= unsigned(y),
}
