"""Triton's scalar types by their short names, and the promotion rules of its language as a reference: written from
the description of the language, not from any implementation.

A type is a short name ("i32", "fp16"); `TYPES` says what stores it in NumPy and how Triton spells it. Rules raise
`Refused` where the language has no answer. Nothing here computes values.
"""

from __future__ import annotations

from dataclasses import dataclass

import ml_dtypes
import numpy as np


class Refused(Exception):
    """Triton refuses the combination."""


@dataclass(frozen=True)
class ScalarType:
    name: str
    triton: str  # the name in triton.language
    numpy: np.dtype
    bits: int
    kind: str  # "bool", "int" or "float"
    is_signed: bool = False
    precision: int = 0  # significant bits of a float


def _integer(bits: int, is_signed: bool) -> ScalarType:
    name = f"{'' if is_signed else 'u'}int{bits}"
    return ScalarType(f"{'i' if is_signed else 'u'}{bits}", name, np.dtype(name), bits, "int", is_signed)


_ALL = [
    ScalarType("i1", "int1", np.dtype(bool), 1, "bool"),
    *(_integer(bits, is_signed) for bits in (8, 16, 32, 64) for is_signed in (True, False)),
    ScalarType("fp8e4nv", "float8e4nv", np.dtype(ml_dtypes.float8_e4m3fn), 8, "float", True, 4),
    ScalarType("fp8e5", "float8e5", np.dtype(ml_dtypes.float8_e5m2), 8, "float", True, 3),
    ScalarType("fp16", "float16", np.dtype(np.float16), 16, "float", True, 11),
    ScalarType("bf16", "bfloat16", np.dtype(ml_dtypes.bfloat16), 16, "float", True, 8),
    ScalarType("fp32", "float32", np.dtype(np.float32), 32, "float", True, 24),
    ScalarType("fp64", "float64", np.dtype(np.float64), 64, "float", True, 53),
]
TYPES = {each.name: each for each in _ALL}
NAMES = list(TYPES)
INTEGERS = [name for name in NAMES if TYPES[name].kind == "int"]
WHOLE = ["i1", *INTEGERS]
FLOAT8 = ["fp8e4nv", "fp8e5"]
FLOATS = ["fp16", "bf16", "fp32", "fp64"]
KIND_ORDER = {"bool": 0, "int": 1, "float": 2}


def kind(name: str) -> str:
    return TYPES[name].kind


def is_float(name: str) -> bool:
    return kind(name) == "float"


def is_signed(name: str) -> bool:
    return TYPES[name].is_signed


def promoted(left: str, right: str, divides: bool = False) -> str:
    """The common type of two tensors; `divides` for / and % and //."""
    both = {left, right}
    if "fp64" in both:
        return "fp64"
    if "fp32" in both:
        return "fp32"
    if "fp16" in both:
        return "fp32" if divides else "fp16"
    if "bf16" in both:
        return "bf16" if both == {"bf16"} and not divides else "fp32"
    if both & set(FLOAT8):
        if not both <= set(FLOAT8):
            raise Refused(f"{left} with {right}")
        if len(both) == 1:
            return left
        return "fp16"
    return _promoted_integers(left, right, divides)


def _promoted_integers(left: str, right: str, divides: bool) -> str:
    a, b = TYPES[left], TYPES[right]
    if a.is_signed != b.is_signed and divides:
        raise Refused(f"different signedness: {left} and {right}")
    if a.bits != b.bits:
        return left if a.bits > b.bits else right
    return left if not a.is_signed else right


def type_of_number(value: bool | float) -> str:
    """What a Python number is as a tensor."""
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, int):
        for name, low, high in (
            ("i32", -(2**31), 2**31),
            ("u32", 0, 2**32),
            ("i64", -(2**63), 2**63),
            ("u64", 0, 2**64),
        ):
            if low <= value < high:
                return name
        raise Refused(f"{value} fits no type")
    magnitude = abs(value)
    if value == 0 or not np.isfinite(magnitude) or 2.0**-126 <= magnitude <= float(np.finfo(np.float32).max):
        return "fp32"
    return "fp64"


def type_of_argument(value: bool | float) -> str:
    """What a kernel argument is; the int 1 is a constant and has no type."""
    if isinstance(value, bool):
        return "i1"
    if isinstance(value, float):
        return "fp32"
    if -(2**31) <= value < 2**31:
        return "i32"
    return "i64" if value < 2**63 else "u64"


def kind_of_number(value: bool | float) -> str:
    return {bool: "bool", int: "int", float: "float"}[type(value)]


def range_of(name: str) -> tuple[int, int]:
    each = TYPES[name]
    if each.kind == "bool":
        return 0, 1
    return (-(1 << (each.bits - 1)), (1 << (each.bits - 1)) - 1) if each.is_signed else (0, (1 << each.bits) - 1)


def promoted_with_number(tensor: str, value: bool | float, divides: bool = False) -> str:
    """The common type of a tensor and a weak Python number."""
    if KIND_ORDER[kind_of_number(value)] <= KIND_ORDER[kind(tensor)]:
        common = "fp32" if divides and tensor in ("fp16", "bf16") else tensor
    else:
        common = promoted(tensor, type_of_number(value), divides)
    if isinstance(value, int) and kind(common) == "int" and not isinstance(value, bool):
        low, high = range_of(common)
        if value < 0 and not is_signed(common):
            raise Refused("a negative number with an unsigned tensor")
        if not low <= value <= high:
            raise Refused(f"{value} is out of range for {common}")
    return common
