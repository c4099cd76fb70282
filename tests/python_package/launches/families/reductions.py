"""Reductions and scans: functions, types, axes, keep_dims, indices and ties, combine functions of one or two
operands, both directions.

Sums of floats are checked twice over: whole numbers must come out exactly, and fractions as the documented order of
halving gives them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import samples
from case import Case, Data, Result, load, simple, store, typed
from conversion import as_ints, convert, wrapped
from elementwise import extreme, in_float, in_ints
from scalar_types import FLOATS, INTEGERS, TYPES, WHOLE, is_float, is_signed

SHAPES = [
    ((16,), 0),
    ((4, 8), 0),
    ((4, 8), 1),
    ((2, 4, 8), 1),
    ((2, 4, 8), 2),
    ((4, 4, 2), 0),
    ((16,), None),
    ((4, 8), None),
    ((2, 2, 2, 4), 3),
]
COMBINE = """@triton.jit
def combine(a, b):
    return a * b


@triton.jit
def affine(a, b, c, d):
    return a * c, b * c + d


@triton.jit
def first_larger(a, i, b, j):
    take = (a > b) | ((a == b) & (i < j))
    return tl.where(take, a, b), tl.where(take, i, j)

"""


def halved(data: np.ndarray, axis: int, function) -> np.ndarray:
    """x[i] with x[i + n/2], then the first half the same way."""
    data = np.moveaxis(data, axis, 0)
    while data.shape[0] > 1:
        half = data.shape[0] // 2
        data = function(data[:half], data[half:])
    return data[0]


def folded(data: np.ndarray, axis: int, function, reverse: bool) -> np.ndarray:
    """Inclusive, one after the other."""
    data = np.moveaxis(data, axis, 0)
    order = range(data.shape[0] - 1, -1, -1) if reverse else range(data.shape[0])
    made, previous = np.empty_like(data), None
    for i in order:
        previous = data[i] if previous is None else function(previous, data[i])
        made[i] = previous
    return np.moveaxis(made, 0, axis)


def reduced_shape(shape, axis, keep_dims: bool) -> tuple[int, ...]:
    if axis is None:
        return (1,) * len(shape) if keep_dims else ()
    return tuple(1 if i == axis else n for i, n in enumerate(shape) if i != axis or keep_dims)


def sum_type(name: str) -> str:
    """Integers below 32 bits widen."""
    if is_float(name) or TYPES[name].bits >= 32:
        return name
    return "i32" if is_signed(name) else "u32"


def extreme_type(name: str) -> str:
    if TYPES[name].bits >= 32:
        return name
    return "fp32" if is_float(name) else "i32"


def adder(name: str):
    return (
        (lambda a, b: in_float(name, np.add, a, b))
        if is_float(name)
        else (lambda a, b: in_ints(name, lambda p, q: p + q, a, b))
    )


def arguments(axis, keep_dims: bool, form: int) -> str:
    shown = [] if axis is None else [[f"{axis}", f"axis={axis}"][form % 2]]
    return ", ".join(shown + (["keep_dims=True"] if keep_dims else []))


def of_values(function: str, name: str, number: int, data: np.ndarray, axis, result: str, combine) -> Case:
    """One reduction whose result has one tensor."""
    keep_dims = number % 3 == 0
    shape = reduced_shape(data.shape, axis, keep_dims)
    inner = arguments(axis, keep_dims, number)
    if function == "reduce_or" and axis is None:
        inner = "axis=None" + (", keep_dims=True" if keep_dims else "")
    text = f"x_.{function}({inner})" if number % 2 else f"tl.{function}(x_{', ' if inner else ''}{inner})"

    def reference():
        values = convert(data, name, result)
        values, along = (values.ravel(), 0) if axis is None else (values, axis)
        return halved(values, along, combine).reshape(shape)

    return simple("reductions", f"{text} {name} {data.shape}", {"x": Data(name, data)}, text, result, shape, reference)


def sums_and_extremes() -> Iterator[Case]:
    number = 0
    for i, name in enumerate([*WHOLE, *FLOATS]):
        for j, (shape, axis) in enumerate(SHAPES):
            number += 1
            key = f"{name} {shape} {axis}"
            data = samples.moderate(name, shape, key) if is_float(name) else samples.values(name, shape, key)
            if (i + j) % 4 == 0 and is_float(name):
                data = samples.whole(name, shape, key)
            yield of_values("sum", name, number, data, axis, sum_type(name), adder(sum_type(name)))
            wild = samples.values(name, shape, key)
            kind = extreme_type(name)
            for largest, function in ((True, "max"), (False, "min")):
                if (i + j + largest) % 2 or j < 3:
                    combine = lambda a, b, kind=kind, g=largest: (
                        extreme(kind, g, a, b) if is_float(kind) else in_ints(kind, max if g else min, a, b)
                    )
                    yield of_values(function, name, number + largest, wild, axis, kind, combine)
            if not is_float(name) and j % 2 == 0:
                yield of_values(
                    "xor_sum", name, number, wild, axis, name, lambda a, b, n=name: in_ints(n, lambda p, q: p ^ q, a, b)
                )
                yield of_values(
                    "reduce_or",
                    name,
                    number + 1,
                    wild,
                    axis,
                    name,
                    lambda a, b, n=name: in_ints(n, lambda p, q: p | q, a, b),
                )


def sums_in_a_type() -> Iterator[Case]:
    for name, kind in (
        ("fp16", "fp32"),
        ("bf16", "fp32"),
        ("i8", "i64"),
        ("u8", "i32"),
        ("i32", "i64"),
        ("i1", "i32"),
        ("fp32", "fp64"),
        ("i32", "fp32"),
    ):
        for shape, axis in SHAPES[:3]:
            x = (
                samples.whole(name, shape, f"{name} as {kind}")
                if is_float(name)
                else samples.moderate(name, shape, f"{name} as {kind}", 0, 100)
            )
            result = reduced_shape(shape, axis, False)
            text = f"tl.sum(x_, {axis}, dtype=tl.{TYPES[kind].triton})"
            reference = lambda x=x, n=name, k=kind, a=axis: halved(convert(x, n, k), a, adder(k))
            yield simple("reductions", f"{text} {name} {shape}", {"x": Data(name, x)}, text, kind, result, reference)


def position(data: np.ndarray, axis: int, largest: bool) -> np.ndarray:
    """The first place of the largest (smallest); NaN never wins against a number that is there."""
    wide = data.astype(np.float64) if is_float_array(data) else as_ints(data).astype(object)
    return np.argmax(wide, axis) if largest else np.argmin(wide, axis)


def is_float_array(data: np.ndarray) -> bool:
    return data.dtype.kind not in "iub"


def with_indices() -> Iterator[Case]:
    number = 0
    for name in [*INTEGERS, *FLOATS]:
        for shape, axis in SHAPES[:5]:
            for largest, function in ((True, "max"), (False, "min")):
                number += 1
                keep_dims = number % 3 == 0
                data = (
                    samples.whole(name, shape, f"{name} {number}", 2)
                    if number % 2
                    else samples.distinct(name, shape, f"{name} {number}")
                )
                result = reduced_shape(shape, axis, keep_dims)
                keep = ", keep_dims=True" if keep_dims else ""
                place = lambda d=data, a=axis, g=largest, r=result: position(d, a, g).astype(np.int32).reshape(r)
                if number % 4 < 2:
                    tie = ", tie_break_left=True" if number % 2 else ""
                    text = f"tl.arg{function}(x_, {axis}{tie}{keep})"
                    yield simple(
                        "reductions", f"{text} {name} {shape}", {"x": Data(name, data)}, text, "i32", result, place
                    )
                    continue
                kind = "fp32" if name == "bf16" else name
                text = f"tl.{function}(x_, {axis}, return_indices=True{keep})"
                body = [
                    f"x_ = {load('x', shape)}",
                    f"v, p = {text}",
                    typed("v", kind),
                    store("out", result, "v"),
                    store("place", result, "p"),
                ]

                def reference(d=data, a=axis, p=place, n=name, k=kind, r=result):
                    best = np.take_along_axis(d, np.expand_dims(p().reshape(np.delete(d.shape, a)), a), a)
                    return {"out": convert(best, n, k).reshape(r), "place": p()}

                yield Case(
                    "reductions",
                    f"{text} {name} {shape}",
                    body,
                    {"x": Data(name, data)},
                    {"out": Result(kind, result), "place": Result("i32", result)},
                    reference,
                )
    for name in ("fp32", "i32", "fp64"):
        for function, largest in (("argmax", True), ("argmin", False)):
            data = samples.distinct(name, (4, 16), f"fast {name}")
            text = f"tl.{function}(x_, 1, tie_break_left=False)"
            yield simple(
                "reductions",
                f"{text} {name}",
                {"x": Data(name, data)},
                text,
                "i32",
                (4,),
                lambda d=data, g=largest: position(d, 1, g).astype(np.int32),
            )


def custom() -> Iterator[Case]:
    for i, name in enumerate(["i8", "i16", "i32", "u32", "i64", "u64", "fp32", "fp64", "fp16", "bf16"]):
        for shape, axis in SHAPES[:5]:
            key = f"custom {name} {shape} {axis}"
            x = samples.whole(name, shape, key)
            times = (
                (lambda a, b, n=name: in_float(n, np.multiply, a, b))
                if is_float(name)
                else (lambda a, b, n=name: in_ints(n, lambda p, q: p * q, a, b))
            )
            result = reduced_shape(shape, axis, False)
            yield simple(
                "reductions",
                f"reduce {key}",
                {"x": Data(name, x)},
                f"tl.reduce(x_, {axis}, combine)",
                name,
                result,
                lambda x=x, a=axis, t=times: halved(x, a, t),
                helpers=COMBINE,
            )
            if name in ("i32", "i64", "fp32", "u32"):
                yield pair_reduction(name, shape, axis, key)
            reverse = i % 2 == 0
            text = f"tl.associative_scan(x_, {axis}, combine, reverse={reverse})"
            yield simple(
                "scans",
                f"scan {key}",
                {"x": Data(name, x)},
                text,
                name,
                shape,
                lambda x=x, a=axis, t=times, r=reverse: folded(x, a, t, r),
                helpers=COMBINE,
            )


def pair_reduction(name: str, shape, axis: int, key: str) -> Case:
    """Two operands; the index is the kernel's own."""
    x, y = samples.whole(name, shape, key), samples.distinct("i32", shape, key + "i")
    result = reduced_shape(shape, axis, False)
    body = [
        f"x_ = {load('x', shape)}",
        f"y_ = {load('y', shape)}",
        f"v, p = tl.reduce((x_, y_), {axis}, first_larger)",
        store("out", result, "v"),
        store("place", result, "p"),
    ]

    def reference():
        best = x.max(axis)
        candidates = np.where(x == np.expand_dims(best, axis), y, np.iinfo(np.int32).max)
        return {"out": best, "place": candidates.min(axis)}

    return Case(
        "reductions",
        f"pair {key}",
        body,
        {"x": Data(name, x), "y": Data("i32", y)},
        {"out": Result(name, result), "place": Result("i32", result)},
        reference,
        helpers=COMBINE,
    )


def scans() -> Iterator[Case]:
    number = 0
    for i, name in enumerate([*INTEGERS, *FLOATS]):
        for shape, axis in SHAPES[:6]:
            for function in ("cumsum", "cumprod"):
                number += 1
                reverse = number % 2 == 0
                kind = "fp32" if name == "bf16" else sum_type(name) if function == "cumsum" else name
                x = (
                    samples.whole(name, shape, f"{name} {number}")
                    if function == "cumsum"
                    else samples.whole(name, shape, f"{name} {number}", 2)
                )
                combine = (
                    adder(kind)
                    if function == "cumsum"
                    else (
                        lambda a, b, k=kind: (
                            in_float(k, np.multiply, a, b) if is_float(k) else in_ints(k, lambda p, q: p * q, a, b)
                        )
                    )
                )
                where = f"{axis}" if axis or number % 3 else ""
                inner = ", ".join(([where] if where else []) + (["reverse=True"] if reverse else []))
                text = (
                    f"x_.{function}({inner})" if number % 5 == 0 else f"tl.{function}(x_{', ' if inner else ''}{inner})"
                )
                reference = lambda x=x, n=name, k=kind, a=axis, c=combine, r=reverse: folded(convert(x, n, k), a, c, r)
                yield simple("scans", f"{text} {name} {shape}", {"x": Data(name, x)}, text, kind, shape, reference)
    for name in ("i32", "fp32", "i64"):
        for reverse in (False, True):
            yield affine_scan(name, reverse)


def affine_scan(name: str, reverse: bool) -> Case:
    """(a, b) then (c, d) is (a c, b c + d): associative, not commutative."""
    x, y = samples.whole(name, (4, 8), f"{name}{reverse}", 2), samples.whole(name, (4, 8), f"y{name}{reverse}")
    body = [
        f"x_ = {load('x', (4, 8))}",
        f"y_ = {load('y', (4, 8))}",
        f"p, q = tl.associative_scan((x_, y_), 1, affine, reverse={reverse})",
        store("out", (4, 8), "p"),
        store("other", (4, 8), "q"),
    ]

    def reference():
        order = list(range(8))[::-1] if reverse else list(range(8))
        p, q = x.astype(object), y.astype(object)
        for before, here in itertools.pairwise(order):
            p[:, here], q[:, here] = (
                p[:, before] * x[:, here],
                q[:, before] * x[:, here].astype(object) + y[:, here].astype(object),
            )
        finish = (lambda v: v.astype(TYPES[name].numpy)) if is_float(name) else (lambda v: wrapped(v, name))
        return {"out": finish(p), "other": finish(q)}

    return Case(
        "scans",
        f"affine {name} {reverse}",
        body,
        {"x": Data(name, x), "y": Data(name, y)},
        {"out": Result(name, (4, 8)), "other": Result(name, (4, 8))},
        reference,
        helpers=COMBINE,
    )


def cases() -> Iterator[Case]:
    for each in (sums_and_extremes, sums_in_a_type, with_indices, custom, scans):
        yield from each()
