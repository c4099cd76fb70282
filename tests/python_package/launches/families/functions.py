"""Elementary functions, as free functions, methods and of libdevice, against longer floats: NumPy's long double, and
math.erf.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import samples
from case import Case, Data, simple
from conversion import array, convert, in_longdouble
from elementwise import in_float
from scalar_types import FLOATS, TYPES

SHAPES = [(16,), (4, 8), (), (2, 4, 4)]
ANY, POSITIVE, UNIT, ABOVE_ONE = (-20.0, 20.0), (1e-3, 50.0), (-1.0, 1.0), (1.0, 30.0)
with_erf = np.vectorize(lambda v: np.longdouble(math.erf(float(v))), otypes=[np.longdouble])

#: name -> (reference, range of inputs). Triton has these as functions for fp32 and fp64, as methods for every float.
FUNCTIONS: dict[str, tuple[Callable, tuple[float, float]]] = {
    "exp": (np.exp, ANY),
    "exp2": (np.exp2, ANY),
    "log": (np.log, POSITIVE),
    "log2": (np.log2, POSITIVE),
    "sin": (np.sin, ANY),
    "cos": (np.cos, ANY),
    "sqrt": (np.sqrt, POSITIVE),
    "rsqrt": (lambda v: 1 / np.sqrt(v), POSITIVE),
    "erf": (with_erf, (-3.0, 3.0)),
    "floor": (np.floor, ANY),
    "ceil": (np.ceil, ANY),
}
ULPS = {"fp32": 2.0, "fp64": 2.0, "fp16": 0.6, "bf16": 0.6}
LIBDEVICE = {
    "tanh": (np.tanh, ANY),
    "sinh": (np.sinh, UNIT),
    "cosh": (np.cosh, ANY),
    "tan": (np.tan, UNIT),
    "asin": (np.arcsin, UNIT),
    "acos": (np.arccos, UNIT),
    "atan": (np.arctan, ANY),
    "asinh": (np.arcsinh, ANY),
    "acosh": (np.arccosh, ABOVE_ONE),
    "atanh": (np.arctanh, (-0.9, 0.9)),
    "log1p": (np.log1p, UNIT),
    "expm1": (np.expm1, UNIT),
    "log10": (np.log10, POSITIVE),
    "cbrt": (np.cbrt, ANY),
    "exp10": (lambda v: np.power(np.longdouble(10), v), UNIT),
    "rint": (np.rint, ANY),
    "trunc": (np.trunc, ANY),
    "round": (lambda v: np.copysign(np.floor(np.abs(v) + np.longdouble(0.5)), v), ANY),
    "exp": (np.exp, ANY),
    "log": (np.log, POSITIVE),
    "sin": (np.sin, ANY),
    "cos": (np.cos, ANY),
    "sqrt": (np.sqrt, POSITIVE),
    "floor": (np.floor, ANY),
    "ceil": (np.ceil, ANY),
    "abs": (np.abs, ANY),
}
LIBDEVICE2 = {
    "pow": (np.power, POSITIVE, (-3.0, 3.0)),
    "atan2": (np.arctan2, ANY, ANY),
    "hypot": (np.hypot, ANY, ANY),
    "fmod": (np.fmod, ANY, POSITIVE),
    "copysign": (np.copysign, ANY, ANY),
    "fdim": (lambda a, b: np.maximum(a - b, 0), ANY, ANY),
    "div_rn": (np.divide, ANY, POSITIVE),
    "remainder": (lambda a, b: a - b * np.rint(a / b), UNIT, ABOVE_ONE),
}
LIBDEVICE_INT = {
    "popc": lambda v, bits: (v % (1 << bits)).bit_count(),
    "clz": lambda v, bits: bits - (v % (1 << bits)).bit_length(),
    "ffs": lambda v, bits: ((v % (1 << bits)) & -(v % (1 << bits))).bit_length(),
    "brev": lambda v, bits: int(format(v % (1 << bits), f"0{bits}b")[::-1], 2),
}


def free_and_methods() -> Iterator[Case]:
    for i, (function, (exact, (low, high))) in enumerate(FUNCTIONS.items()):
        for j, name in enumerate(FLOATS):
            for k in range(3):
                shape = SHAPES[(i + j + k) % 4]
                text = f"tl.{function}(x_)" if name in ("fp32", "fp64") and k < 2 else f"x_.{function}()"
                key = f"{text} {name} {shape}"
                x = Data(name, samples.moderate(name, shape, key, low, high))
                ulps = 0.0 if function in ("floor", "ceil") else ULPS[name]
                reference = lambda x=x, f=exact: f(x.values.astype(np.longdouble))
                yield simple(
                    "functions",
                    key,
                    {"x": x},
                    text,
                    name,
                    shape,
                    lambda r=reference, n=name, u=ulps: finish(r(), n, u),
                    ulps,
                )
    specials = {
        "exp": [np.inf, -np.inf, np.nan, 0, -1000, 1000],
        "log": [0, np.inf, np.nan, -1, 1, 1e-3],
        "sqrt": [0, -0.0, np.inf, -4, np.nan, 4],
        "erf": [np.inf, -np.inf, np.nan, 0, -0.0, 9],
    }
    for function, values in specials.items():
        for name in ("fp32", "fp64"):
            x = Data(
                name, array([*values, 0.0, 0.0][:8], name) if function != "log" else array([*values, 1.0, 1.0], name)
            )
            with np.errstate(all="ignore"):
                expected = FUNCTIONS[function][0](x.values.astype(np.longdouble))
            yield simple(
                "functions",
                f"{function} specials {name}",
                {"x": x},
                f"tl.{function}(x_)",
                name,
                (8,),
                lambda e=expected, n=name: finish(e, n, 2.0),
                2.0,
            )


def finish(exact: np.ndarray, name: str, ulps: float) -> np.ndarray:
    """Stored exactly, or kept long where some units may lie between."""
    with np.errstate(all="ignore"):
        return np.asarray(exact.astype(TYPES[name].numpy) if not ulps else exact.astype(np.float64))


def of_two() -> Iterator[Case]:
    for i, name in enumerate(FLOATS):
        for shape in (SHAPES[i % 4], SHAPES[(i + 1) % 4]):
            x, y = (
                Data(name, samples.moderate(name, shape, "a" + name)),
                Data(name, samples.moderate(name, shape, "b" + name, 0.5, 9)),
            )
            quotient = lambda x=x, y=y, n=name: in_float(n, np.divide, x.values, y.values)
            yield simple(
                "functions", f"fdiv {name} {shape}", {"x": x, "y": y}, "tl.fdiv(x_, y_)", name, shape, quotient
            )
            if name == "fp32":
                yield simple(
                    "functions", f"div_rn {shape}", {"x": x, "y": y}, "tl.div_rn(x_, y_)", name, shape, quotient
                )
                yield simple(
                    "functions",
                    f"sqrt_rn {shape}",
                    {"x": y},
                    "tl.sqrt_rn(x_)",
                    name,
                    shape,
                    lambda y=y: np.sqrt(y.values),
                )
            if name in ("fp32", "fp64"):
                exact = lambda x=x: (1 / (1 + np.exp(-x.values.astype(np.longdouble)))).astype(np.float64)
                yield simple(
                    "functions",
                    f"sigmoid {name} {shape}",
                    {"x": x},
                    ["tl.sigmoid(x_)", "x_.sigmoid()"][i % 2],
                    name,
                    shape,
                    exact,
                    4.0,
                )


def softmax() -> Iterator[Case]:
    for name in ("fp32", "fp64"):
        for shape, text, axis in (
            ((16,), "tl.softmax(x_)", 0),
            ((4, 8), "tl.softmax(x_, 1, keep_dims=True)", 1),
            ((4, 8), "tl.softmax(x_, 0, keep_dims=True)", 0),
            ((8, 16), "x_.softmax(dim=1, keep_dims=True)", 1),
        ):
            x = Data(name, samples.moderate(name, shape, text))

            def reference(x=x, axis=axis):
                power = np.exp(x.values.astype(np.longdouble))
                return (power / power.sum(axis=axis, keepdims=True)).astype(np.float64)

            yield simple("functions", f"{text} {name}", {"x": x}, text, name, shape, reference, 40.0)


def libdevice() -> Iterator[Case]:
    for i, (function, (exact, (low, high))) in enumerate(LIBDEVICE.items()):
        for name in ("fp32", "fp64"):
            shape = SHAPES[i % 4]
            x = Data(name, samples.moderate(name, shape, function + name, low, high))
            yield simple(
                "libdevice",
                f"{function} {name}",
                {"x": x},
                f"libdevice.{function}(x_)",
                name,
                shape,
                lambda f=exact, x=x: in_longdouble(f, x.values),
                1.5,
            )
    for i, (function, (exact, first, second)) in enumerate(LIBDEVICE2.items()):
        for name in ("fp32", "fp64"):
            shape = SHAPES[i % 4]
            x, y = (
                Data(name, samples.moderate(name, shape, function, *first)),
                Data(name, samples.moderate(name, shape, name, *second)),
            )
            yield simple(
                "libdevice",
                f"{function} {name}",
                {"x": x, "y": y},
                f"libdevice.{function}(x_, y_)",
                name,
                shape,
                lambda f=exact, x=x, y=y: in_longdouble(f, x.values, y.values),
                1.5,
            )
    for function, exact in LIBDEVICE_INT.items():
        for name in ("i32", "i64"):
            x = Data(name, samples.values(name, (16,), function))
            result = name if function == "brev" else "i32"

            def reference(f=exact, x=x, result=result):
                return convert(
                    np.array([f(int(v), x.values.dtype.itemsize * 8) for v in x.values], dtype=np.uint64), "u64", result
                )

            yield simple(
                "libdevice", f"{function} {name}", {"x": x}, f"libdevice.{function}(x_)", result, (16,), reference
            )


def cases() -> Iterator[Case]:
    for each in (free_and_methods, of_two, softmax, libdevice):
        yield from each()
