"""Unary operators, absolute values, logical operators, and functions of several floats."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import samples
import triton
from case import Case, Data, simple
from conversion import convert
from elementwise import absolute, extreme, in_ints, negated
from scalar_types import (
    FLOAT8,
    FLOATS,
    INTEGERS,
    NAMES,
    TYPES,
    WHOLE,
    is_float,
    promoted,
)

SHAPES = [(), (16,), (4, 8), (2, 2, 4), (2, 2, 2, 2)]


def operand(name: str, shape, key: str) -> Data:
    return Data(name, samples.values(name, shape, key))


def negative(name: str, x: np.ndarray) -> np.ndarray:
    """Triton 3.6 computes 0 - x, so that -(+0.0) is +0.0; later ones change the sign."""
    if is_float(name) and not triton.__version__.startswith("3.6."):
        return (-x.astype(np.float64)).astype(TYPES[name].numpy)
    return negated(name, x)


def signs() -> Iterator[Case]:
    for i, name in enumerate(NAMES):
        for shape in (SHAPES[i % 5], SHAPES[(i + 2) % 5]):
            x = operand(name, shape, f"unary {name} {shape}")
            asked = [("tl.abs(x_)", absolute), ("x_.abs()", absolute)]
            if name not in FLOAT8:
                asked += [("-x_", negative)]
            for text, function in asked:
                reference = lambda function=function, name=name, x=x: function(name, x.values)
                yield simple("unary", f"{text} {name} {shape}", {"x": x}, text, name, shape, reference)
    for i, name in enumerate(WHOLE):
        shape = SHAPES[i % 5]
        x = operand(name, shape, f"invert {name} {shape}")
        yield simple(
            "unary",
            f"~x {name} {shape}",
            {"x": x},
            "~x_",
            name,
            shape,
            lambda name=name, x=x: in_ints(name, lambda v: ~v, x.values),
        )


def logic() -> Iterator[Case]:
    texts = {
        "not x_": lambda a, b: ~a,
        "x_ and y_": np.logical_and,
        "x_ or y_": np.logical_or,
        "x_ and not y_ or y_": lambda a, b: a | b,
        "x_.logical_and(y_)": np.logical_and,
        "x_.logical_or(y_)": np.logical_or,
    }
    for shape in SHAPES[1:4]:
        x, y = operand("i1", shape, f"a{shape}"), operand("i1", shape, f"b{shape}")
        for text, function in texts.items():
            operands = {"x": x, "y": y}
            yield simple(
                "unary",
                f"{text} {shape}",
                operands,
                f"({text}) & (y_ | ~y_)",
                "i1",
                shape,
                lambda f=function, x=x, y=y: f(x.values, y.values),
            )


def exact_fma(name: str, x, y, z) -> np.ndarray:
    """One rounding: products of up to 24 bits and sums of 53 are exact in longdouble but for far apart exponents."""
    if name == "fp64":
        wide = [each.astype(np.longdouble) for each in (x, y, z)]
        return (wide[0] * wide[1] + wide[2]).astype(np.float64)
    wide = [each.astype(np.longdouble) for each in (x, y, z)]
    with np.errstate(all="ignore"):
        return convert((wide[0] * wide[1] + wide[2]).astype(np.float64), "fp64", name)


def of_floats() -> Iterator[Case]:
    for i, name in enumerate(FLOATS):
        for j, shape in enumerate(SHAPES[:4]):
            key = f"{name} {shape}"
            x, y, z = (Data(name, samples.values(name, shape, key + n)) for n in "xyz")
            common = "fp32" if name == "bf16" else name
            for largest, function in ((False, "minimum"), (True, "maximum")):
                text = f"tl.{function}(x_, y_, propagate_nan=tl.PropagateNan.ALL)"
                reference = lambda x=x, y=y, c=common, g=largest: extreme(
                    c, g, x.values.astype(c_type(c)), y.values.astype(c_type(c)), True
                )
                yield simple("unary", f"{function} ALL {key}", {"x": x, "y": y}, text, common, shape, reference)
            small = [Data(name, samples.moderate(name, shape, key + n, -4, 4)) for n in "abc"]
            if name in ("fp32", "fp64"):
                bound = 1.0 if name == "fp64" else 0.0
                reference = lambda name=name, v=small: exact_fma(name, *(each.values for each in v))
                yield simple(
                    "unary", f"fma {key}", dict(zip("xyz", small)), "tl.fma(x_, y_, z_)", name, shape, reference, bound
                )
                yield simple(
                    "unary",
                    f"x*y+z is contracted {key}",
                    dict(zip("xyz", small)),
                    "x_ * y_ + z_",
                    name,
                    shape,
                    reference,
                    bound,
                )
            yield clamp(name, common, shape, key, (x, y, z), j % 2 == 0)


def c_type(name: str):
    return TYPES[name].numpy


def clamp(name: str, common: str, shape, key: str, data, keep_nan: bool) -> Case:
    x, a, b = (each.values.astype(c_type(common)) for each in data)
    a, b = np.where(np.isnan(a), 0, a).astype(x.dtype), np.where(np.isnan(b), 1, b).astype(x.dtype)
    low, high = np.minimum(a, b), np.maximum(a, b)

    def reference():
        inner = extreme(common, True, x, low, keep_nan)
        return extreme(common, False, inner, high, keep_nan)

    operands = {"x": data[0], "y": Data(name, low.astype(c_type(name))), "z": Data(name, high.astype(c_type(name)))}
    text = f"tl.clamp(x_, y_, z_, propagate_nan=tl.PropagateNan.{'ALL' if keep_nan else 'NONE'})"
    return simple("unary", f"clamp {'ALL' if keep_nan else 'NONE'} {key}", operands, text, common, shape, reference)


def rounded_up(a: int, b: int) -> int:
    return -(-a // b)


def integer_functions() -> Iterator[Case]:
    for name in ("i32", "u32", "i64", "u64"):
        for shape in SHAPES[:3]:
            key = f"umulhi {name} {shape}"
            x, y = operand(name, shape, key + "x"), operand(name, shape, key + "y")
            bits = int(name[1:])
            high = lambda a, b, bits=bits: ((a % (1 << bits)) * (b % (1 << bits))) >> bits
            yield simple(
                "integers",
                key,
                {"x": x, "y": y},
                "tl.umulhi(x_, y_)",
                name,
                shape,
                lambda n=name, h=high, x=x, y=y: in_ints(n, h, x.values, y.values),
            )
    for i, name in enumerate(INTEGERS):
        for shape in SHAPES[:3]:
            key = f"cdiv {name} {shape}"
            x = Data(name, samples.moderate(name, shape, key, 0, 100))
            y = Data(name, samples.moderate(name, shape, key + "y", 1, 9))
            reference = lambda n=name, x=x, y=y: in_ints(n, rounded_up, x.values, y.values)
            yield simple(
                "integers", key, {"x": x, "y": y}, ["tl.cdiv(x_, y_)", "x_.cdiv(y_)"][i % 2], name, shape, reference
            )
            literal = lambda n=name, x=x: in_ints(n, lambda a: -(-a // 7), x.values)
            yield simple("integers", f"{key} literal", {"x": x}, "tl.cdiv(x_, 7)", name, shape, literal)
    yield from sanitized()


def sanitized() -> Iterator[Case]:
    """Operators as functions, mixed types."""
    for i, left in enumerate(WHOLE):
        right = WHOLE[(i + 3) % len(WHOLE)]
        common = promoted(left, right)
        x, y = operand(left, (16,), f"add {left}"), operand(right, (16,), f"add {right}")
        for text, function in (("add", lambda a, b: a + b), ("sub", lambda a, b: a - b), ("mul", lambda a, b: a * b)):
            flag = ", sanitize_overflow=False" if i % 2 else ""
            reference = lambda f=function, x=x, y=y, l=left, r=right, c=common: in_ints(
                c, f, convert(x.values, l, c), convert(y.values, r, c)
            )
            yield simple(
                "integers",
                f"tl.{text} {left} {right}{flag}",
                {"x": x, "y": y},
                f"tl.{text}(x_, y_{flag})",
                common,
                (16,),
                reference,
            )


def cases() -> Iterator[Case]:
    yield from signs()
    yield from logic()
    yield from of_floats()
    yield from integer_functions()
