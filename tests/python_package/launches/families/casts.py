"""x.to(type) for every pair of types, roundings, bit casts, casts of arguments and literals, and the casts that
stores and loads make.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import samples
from case import Case, Data, Result, load, simple, store, typed
from conversion import convert, number_as
from elementwise import in_ints
from scalar_types import (
    FLOAT8,
    FLOATS,
    NAMES,
    TYPES,
    is_float,
    type_of_argument,
    type_of_number,
)

SHAPES = [(), (32,), (4, 8), (2, 4, 4)]
#: Values at which a conversion decides.
EDGES = {
    "fp64": [1 + 2.0**-24, 1e300, 1 + 2.0**-11 + 2.0**-40, 1 + 2.0**-8 + 2.0**-40, 65520 - 1e-9, 1e-310, 3e38, 2.5]
}
EDGES |= {
    "fp32": [
        1 + 2.0**-8,
        1 + 3 * 2.0**-8,
        65519,
        65520,
        1e10,
        -1e10,
        300,
        -300,
        127.9,
        255.9,
        70000,
        -1,
        2.0**31,
        2.0**63,
        1.875,
        464,
        0.001,
    ]
}
EDGES |= {
    "i32": [2049, 257, 100000, -70000, 2**24 + 1, -(2**31)],
    "i64": [2**53 + 1, 2**24 + 1, -(2**63), 2**62 + 1],
    "u64": [2**64 - 1, 2**53 + 1],
}


def inputs(name: str, shape, key: str) -> np.ndarray:
    data = samples.values(name, shape, key)
    edges = np.array(EDGES.get(name, []), dtype=TYPES[name].numpy)
    if data.size > len(edges):
        data.ravel()[: len(edges)] = edges
    return data


def is_open(source: str, target: str) -> bool:
    """What Triton has no lowering for."""
    both = {source, target}
    return bool(both & set(FLOAT8)) and any(not is_float(each) or each == "fp64" for each in both)


def reference(x: np.ndarray, source: str, target: str, rounding: str = "") -> np.ndarray:
    """fp16 and bf16 go through fp32 to anything else. fp8e5 becomes bf16 by a multiplication of its shifted bits:
    infinity and NaN become numbers."""
    if (source, target) == ("fp8e5", "bf16"):
        fractions = (x.view(np.uint8) & 0x7F).astype(np.float64)
        exponent = np.maximum(np.floor(fractions / 4), 1)
        magnitude = (fractions - 4 * exponent + 4) * np.exp2(exponent - 17)
        return np.copysign(magnitude, x.astype(np.float64)).astype(TYPES["bf16"].numpy)
    if source in ("fp16", "bf16") and target not in (source, "fp32"):
        return convert(convert(x, source, "fp32"), "fp32", target, rounding)
    return convert(x, source, target, rounding)


def plain() -> Iterator[Case]:
    for i, source in enumerate(NAMES):
        for j, target in enumerate(NAMES):
            if is_open(source, target):
                continue
            shape = SHAPES[1 + (i + j) % 3]
            x = Data(source, inputs(source, shape, f"{source} to {target}"))
            text = [f"x_.to(tl.{TYPES[target].triton})", f"tl.cast(x_, tl.{TYPES[target].triton})"][(i + j) % 2]
            make = lambda x=x, s=source, t=target: reference(x.values, s, t)
            yield simple("casts", f"{source} to {target} {shape}", {"x": x}, text, target, shape, make)


def rounded() -> Iterator[Case]:
    for source, target, rounding in [
        ("fp32", "fp16", "rtz"),
        ("fp32", "bf16", "rtz"),
        ("fp32", "fp16", "rtne"),
        ("fp32", "bf16", "rtne"),
        ("fp32", "fp8e5", "rtne"),
        ("fp32", "fp8e4nv", "rtne"),
        ("fp16", "fp8e5", "rtne"),
        ("bf16", "fp8e4nv", "rtne"),
        ("fp64", "fp32", "rtne"),
    ]:
        for shape in SHAPES[1:]:
            x = Data(source, inputs(source, shape, f"{source} {rounding} {target}"))
            if rounding == "rtz":
                x = Data(source, np.where(np.isinf(x.values), np.float32(1.7), x.values))
            text = f"x_.to(tl.{TYPES[target].triton}, fp_downcast_rounding='{rounding}')"
            make = lambda x=x, s=source, t=target, r=rounding: reference(x.values, s, t, r)
            yield simple("casts", f"{source} to {target} {rounding} {shape}", {"x": x}, text, target, shape, make)


def bitcasts() -> Iterator[Case]:
    for i, source in enumerate(NAMES):
        for j, target in enumerate(NAMES):
            if TYPES[source].bits != TYPES[target].bits or source == target:
                continue
            shape = SHAPES[(i + j) % 4]
            x = Data(source, samples.values(source, shape, f"{source} bits of {target}"))
            text = f"x_.to(tl.{TYPES[target].triton}, bitcast=True)"
            yield simple(
                "casts",
                f"{source} bitcast {target} {shape}",
                {"x": x},
                text,
                target,
                shape,
                lambda x=x, t=target: x.values.view(TYPES[t].numpy),
            )


def of_arguments() -> Iterator[Case]:
    for i, value in enumerate(
        [True, False, 7, -3, 300, 70000, 2**40 + 1, -(2**45), 2**63 + 9, 0.1, -2.5, 1e300, 65519.0, 1e-42]
    ):
        source = type_of_argument(value)
        for j, target in enumerate(NAMES):
            if is_open(source, target) or (i + j) % 2:
                continue
            body = [f"r = s.to(tl.{TYPES[target].triton})", typed("r", target), store("out", (), "r")]
            make = lambda v=value, s=source, t=target: {"out": reference(np.asarray(number_as(v, s)), s, t)}
            yield Case("casts", f"argument {value} to {target}", body, {"s": value}, {"out": Result(target, ())}, make)


def of_literals() -> Iterator[Case]:
    """tl.full, and a literal that a store converts."""
    for i, value in enumerate([True, 7, -3, 300, 2**31, 2**40 + 1, 0.1, -2.5, 1e300, 1e-40, 65519.0, math.inf]):
        text = "float('inf')" if value == math.inf else repr(value)
        source = type_of_number(value)
        for j, target in enumerate(NAMES):
            if target in FLOAT8 or (i + j) % 2:
                continue
            shape = SHAPES[(i + j) % 4]
            name = f"{value} stored as {target} {shape}"
            if i % 3 or abs(value) > 1e9 or value == 1e-40 or target in ("i1", "u8", "u16", "u32", "u64"):
                make = lambda v=value, s=source, t=target, p=shape: {
                    "out": np.broadcast_to(stored(np.asarray(number_as(v, s)), s, t), p)
                }
                yield Case("casts", name, [store("out", shape, text)], {}, {"out": Result(target, shape)}, make)
            else:
                body = [
                    f"r = tl.full({list(shape)}, {text}, tl.{TYPES[target].triton})",
                    typed("r", target),
                    store("out", shape, "r"),
                ]
                make = lambda v=value, t=target, p=shape: {"out": np.broadcast_to(number_as(v, t), p)}
                yield Case("casts", f"full {name}", body, {}, {"out": Result(target, shape)}, make)


def stored(x: np.ndarray, source: str, target: str) -> np.ndarray:
    """A pointer to int1 takes bytes: 0.5 is 0 there, 256 too."""
    return reference(x, source, "i8") != 0 if target == "i1" else reference(x, source, target)


def stores() -> Iterator[Case]:
    """A store converts to the pointer's element type; what a load gives as `other` does too."""
    for i, source in enumerate(NAMES):
        for j, target in enumerate(NAMES):
            if is_open(source, target) or source == target or (i + j) % 2:
                continue
            shape = SHAPES[(i + j) % 4]
            x = Data(source, inputs(source, shape, f"{source} stored as {target}"))
            body = [f"x_ = {load('x', shape)}", store("out", shape, "x_")]
            make = lambda x=x, s=source, t=target: {"out": stored(x.values, s, t)}
            yield Case(
                "casts", f"{source} stored as {target} {shape}", body, {"x": x}, {"out": Result(target, shape)}, make
            )


def chains() -> Iterator[Case]:
    """Two conversions, and widening through an operation."""
    for i, middle in enumerate(["i8", "u8", "i16", "u16", "fp16", "bf16", "i1", "fp32"]):
        for source in ("i32", "fp32", "i64", "u16"):
            x = Data(source, inputs(source, (32,), f"{source} {middle}"))
            target = ["i64", "fp64"][i % 2]
            text = f"x_.to(tl.{TYPES[middle].triton}).to(tl.{TYPES[target].triton})"
            make = lambda x=x, s=source, m=middle, t=target: reference(reference(x.values, s, m), m, t)
            yield simple("casts", f"{source} to {middle} to {target}", {"x": x}, text, target, (32,), make)
    for name in FLOATS:
        x = Data(name, samples.moderate(name, (16,), f"loop {name}"))
        yield simple(
            "casts",
            f"i1 of {name}",
            {"x": x},
            "(x_ > 0).to(tl.int32) + 1",
            "i32",
            (16,),
            lambda x=x: (x.values.astype(np.float64) > 0).astype(np.int32) + 1,
        )
    x = Data("i8", samples.values("i8", (32,), "sign"))
    yield simple(
        "casts",
        "i8 zero-extended through u8",
        {"x": x},
        "x_.to(tl.uint8, bitcast=True).to(tl.int32)",
        "i32",
        (32,),
        lambda: in_ints("i32", lambda v: v % 256, x.values),
    )


def cases() -> Iterator[Case]:
    for each in (plain, rounded, bitcasts, of_arguments, of_literals, stores, chains):
        yield from each()
