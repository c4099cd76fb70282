"""`triton.language` for module level: types, constexpr, and the names of functions, which only kernels can call.

Which names exist is asked of the C++ front end, so `hasattr(tl, "gather")` says what kernels can use."""

from __future__ import annotations

import sys
from typing import Any

from . import names
from .values import BuiltinName, cdiv, constexpr, dtype, next_power_of_2, pointer_type

__all__ = ["cdiv", "constexpr", "dtype", "next_power_of_2", "pointer_type"]

void = dtype("void")
int1, int8, int16, int32, int64 = (dtype(f"int{bits}") for bits in (1, 8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (dtype(f"uint{bits}") for bits in (8, 16, 32, 64))
float8e5, float8e5b16, float8e4nv = dtype("fp8e5"), dtype("fp8e5b16"), dtype("fp8e4nv")
float8e4b8, float8e4b15 = dtype("fp8e4b8"), dtype("fp8e4b15")
float16, bfloat16, float32, float64 = dtype("fp16"), dtype("bf16"), dtype("fp32"), dtype("fp64")
pi32_t = pointer_type(int32)


class const:
    """Annotation of a pointer that the kernel only reads."""


class tensor:
    """Annotation only: tensors exist in kernels."""


def __getattr__(name: str) -> Any:
    if name.startswith("__") or not names.exists("triton.language", name):
        raise AttributeError(f"triton.language (Lockstep's stand-in) has no {name!r}")
    return BuiltinName(f"triton.language.{name}")


for _space in ("math", "standard", "random", "core", "extra", "extra.libdevice", "extra.cuda", "extra.cuda.libdevice"):
    names.add_module(__name__, _space)
math, standard, random, core, extra = (sys.modules[f"{__name__}.{_name}"] for _name in
                                       ("math", "standard", "random", "core", "extra"))  # fmt: skip
