"""Element types, promotion and arithmetic of Triton 3.6 in NumPy: the independent side of the random differential tests.

Values are held in NumPy arrays: bf16 as float32 that are exactly bfloat16, bool as uint8 of 0 and 1. The promotion rules are
those of the compiled mode; the kernels that the tests generate assert each result type, and Triton itself checks those too.
"""

from __future__ import annotations

import lockstep_tool
import numpy as np

NUMPY = {
    "i1": np.uint8, "i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32, "u32": np.uint32,
    "i64": np.int64, "u64": np.uint64, "f16": np.float16, "bf16": np.float32, "f32": np.float32, "f64": np.float64,
}  # fmt: skip
ALL = list(NUMPY)
INTEGERS = [name for name in ALL if name[0] in "iu"]
FLOATS = ["f16", "bf16", "f32", "f64"]
LANGUAGE = {
    "i1": "tl.int1", "i8": "tl.int8", "u8": "tl.uint8", "i16": "tl.int16", "u16": "tl.uint16", "i32": "tl.int32", "u32": "tl.uint32",
    "i64": "tl.int64", "u64": "tl.uint64", "f16": "tl.float16", "bf16": "tl.bfloat16", "f32": "tl.float32", "f64": "tl.float64",
}  # fmt: skip


def bits(name: str) -> int:
    return 16 if name == "bf16" else int(name[1:])


def is_float(name: str) -> bool:
    return name in FLOATS


def is_signed(name: str) -> bool:
    return name[0] == "i" and name != "i1"


def promote(a: str, b: str, divides: bool = False) -> str | None:
    """The type that both operands of a tile operation get; None where Triton refuses. `divides`: / or %."""
    if "f64" in (a, b):
        return "f64"
    if "f32" in (a, b):
        return "f32"
    if "f16" in (a, b):
        return "f32" if divides else "f16"
    if "bf16" in (a, b):
        return "bf16" if a == b and not divides else "f32"
    if divides and is_signed(a) != is_signed(b):
        return None
    if bits(a) != bits(b):
        return max(a, b, key=bits)
    return a if a == b or not is_signed(a) else b


def round_to(name: str, values: np.ndarray) -> np.ndarray:
    """Rounds a float array to the type, nearest with ties to even."""
    with np.errstate(all="ignore"):
        if name == "bf16":
            return lockstep_tool.bf16_values(lockstep_tool.bf16_bits(values.astype(np.float32)))
        return values.astype(NUMPY[name])


def convert(values: np.ndarray, source: str, target: str) -> np.ndarray:
    """A value-preserving or rounding cast; floats to integers only inside their range."""
    with np.errstate(all="ignore"):
        if target == "i1":
            return (values != 0).astype(np.uint8)
        if is_float(target):
            through = values.astype(np.float32) if source in ("f16", "bf16") else values
            if target == "bf16" and source == "f64":
                return f64_to_bf16(values)
            return round_to(target, through) if target != "bf16" else round_to("bf16", through.astype(np.float64))
        return np.trunc(values).astype(NUMPY[target]) if is_float(source) else values.astype(NUMPY[target])


def f64_to_bf16(values: np.ndarray) -> np.ndarray:
    """Rounds once: the two neighbours in bf16 are compared with the exact value."""
    down = lockstep_tool.bf16_values((values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16))
    low = lockstep_tool.bf16_bits(down)
    best = down.astype(np.float64)
    for step in (-1, 1):
        other_bits = (low.astype(np.int64) + step).astype(np.uint16)
        other = lockstep_tool.bf16_values(other_bits).astype(np.float64)
        nearer = np.abs(other - values) < np.abs(best - values)
        tie = (np.abs(other - values) == np.abs(best - values)) & (other_bits % 2 == 0)
        best = np.where(nearer | tie, other, best)
    overflow = np.abs(values) >= (2 - 2.0**-8) * 2.0**127  # half a unit above the largest bf16
    return np.where(overflow, np.copysign(np.inf, values), best).astype(np.float32)


def random_values(name: str, count: int, random: np.random.Generator, special: bool = True) -> np.ndarray:
    """Values of the type: small ones, ones over the whole range, and the special ones."""
    if name == "i1":
        return random.integers(0, 2, count).astype(np.uint8)
    if not is_float(name):
        information = np.iinfo(NUMPY[name])
        small = random.integers(max(-100, information.min), min(100, information.max), count)
        wide = random.integers(information.min, information.max, count, dtype=NUMPY[name], endpoint=True)
        values = np.where(random.random(count) < 0.5, small.astype(NUMPY[name]), wide)
        if special:
            values[:3] = [information.min, information.max, 0]
        return values
    values = round_to(name, random.standard_normal(count) * 10.0 ** random.integers(-2, 3, count))
    if special:
        limit = {"f16": 65504.0, "bf16": 3.3895314e38, "f32": 3.4028235e38, "f64": 1.7976931348623157e308}[name]
        values[:8] = [0.0, -0.0, np.inf, -np.inf, np.nan, limit, -limit, 1.0]
    return values


def to_file(values: np.ndarray, name: str):
    """The value as an argument of lockstep_tool.run."""
    if name == "bf16":
        return lockstep_tool.bf16_bits(values), "bf16"
    if name == "i1":
        return values.astype(bool)
    return values


def from_file(array: np.ndarray, name: str) -> np.ndarray:
    return lockstep_tool.bf16_values(array) if name == "bf16" else array.astype(NUMPY[name])


# ---- operations --------------------------------------------------------------------------------------------------------


def wrap(name: str, values: np.ndarray) -> np.ndarray:
    return values & 1 if name == "i1" else values.astype(NUMPY[name])


def arithmetic(operation: str, a: np.ndarray, b: np.ndarray, name: str) -> np.ndarray:
    """+ - * on operands that already have the type; floats are computed wider and rounded once."""
    with np.errstate(all="ignore"):
        if name in ("f16", "bf16"):
            a, b = a.astype(np.float32), b.astype(np.float32)
        result = {"+": np.add, "-": np.subtract, "*": np.multiply}[operation](a, b)
        return round_to(name, result) if is_float(name) else wrap(name, result)


def divide_towards_zero(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    quotient = [abs(int(x)) // abs(int(y)) * (1 if (x < 0) == (y < 0) else -1) for x, y in zip(a, b)]
    return np.array([q & (2**64 - 1) for q in quotient], dtype=np.uint64).astype(a.dtype)


def remainder_of_dividend(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    rest = [(abs(int(x)) % abs(int(y))) * (-1 if x < 0 else 1) for x, y in zip(a, b)]
    return np.array([r & (2**64 - 1) for r in rest], dtype=np.uint64).astype(a.dtype)


def shift_right(a: np.ndarray, amount: np.ndarray, name: str, arithmetic_shift: bool) -> np.ndarray:
    width = bits(name)
    result = []
    for value, by in zip(a, amount):
        number = int(value) & (2**width - 1)
        if arithmetic_shift and number >> (width - 1):
            number -= 2**width
        result.append((number >> int(by)) & (2**64 - 1))
    return np.array(result, dtype=np.uint64).astype(NUMPY[name])


def same(actual: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Elementwise equality; NaN equals NaN, +0 equals -0."""
    if expected.dtype.kind == "f":
        return (actual == expected) | (np.isnan(actual) & np.isnan(expected))
    return actual == expected
