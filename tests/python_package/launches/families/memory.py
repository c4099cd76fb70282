"""Loads and stores with masks and other, pointer arithmetic with every type of offset, block pointers, descriptors,
atomics.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import samples
from case import Case, Data, Result, load, store, tile, typed
from conversion import convert, number_as
from elementwise import extreme, in_float, in_ints
from scalar_types import (
    FLOAT8,
    FLOATS,
    INTEGERS,
    NAMES,
    TYPES,
    is_float,
    kind,
    type_of_argument,
    type_of_number,
)

SHAPES = [(16,), (4, 8), (2, 4, 4)]


def others(name: str, shape, key: str) -> list[tuple[str, dict, np.ndarray]]:
    """(text, more arguments, what masked-off lanes read) for every kind of `other`."""
    made = [("", {}, np.zeros(shape, TYPES[name].numpy))]
    if name not in FLOAT8:
        made.append(
            (
                ", other=-3" if TYPES[name].is_signed else ", other=3",
                {},
                number_as(-3 if TYPES[name].is_signed else 3, name),
            )
        )
        if kind(name) != "bool":
            made.append((", 2.5", {}, convert(np.asarray(number_as(2.5, "fp32")), "fp32", name)))
            for value in (7, 0.3):
                source = type_of_argument(value)
                made.append((", other=s", {"s": value}, convert(np.asarray(number_as(value, source)), source, name)))
    z = Data(name, samples.values(name, shape, key + "z"))
    made.append((f", {load('z', shape)}", {"z": z}, z.values))
    return made


def masked_loads() -> Iterator[Case]:
    for i, name in enumerate(NAMES):
        for j, shape in enumerate(SHAPES):
            key = f"{name} {shape}"
            x, m = Data(name, samples.values(name, shape, key)), Data("i1", samples.values("i1", shape, key + "m"))
            for number, (text, more, other) in enumerate(others(name, shape, key)):
                if (number + i + j) % 2 and number > 1:
                    continue
                body = [
                    f"m_ = {load('m', shape)}",
                    f"r = tl.load(x + {tile(shape)}, m_{text})",
                    typed("r", name),
                    store("out", shape, "r"),
                ]
                reference = lambda x=x, m=m, other=other: {"out": np.where(m.values, x.values, other)}
                yield Case(
                    "memory",
                    f"load {key} {number}",
                    body,
                    {"x": x, "m": m, **more},
                    {"out": Result(name, shape)},
                    reference,
                )


def masked_stores() -> Iterator[Case]:
    """The mask a tensor, computed, a scalar argument or one number for all; what is not written stays."""
    for i, name in enumerate(NAMES):
        for j, shape in enumerate(SHAPES):
            x = Data(name, samples.values(name, shape, f"{name} {shape} stored"))
            fill = np.zeros(shape, TYPES[name].numpy)
            count = int(np.prod(shape))
            forms = {
                f"{tile(shape)} < n": ({"n": count // 2 + 1}, (np.arange(count) < count // 2 + 1).reshape(shape)),
                f"({tile(shape)}) % 3 == 0": ({}, (np.arange(count) % 3 == 0).reshape(shape)),
                "b": ({"b": bool(j % 2)}, np.full(shape, bool(j % 2))),
                "n > 5": ({"n": 9}, np.full(shape, True)),
            }
            text, (more, mask) = list(forms.items())[(i + j) % 4]
            body = [f"x_ = {load('x', shape)}", f"tl.store(out + {tile(shape)}, x_, mask={text})"]
            reference = lambda x=x, m=mask, f=fill: {"out": np.where(m, x.values, f)}
            yield Case(
                "memory",
                f"store {name} {shape} where {text}",
                body,
                {"x": x, **more},
                {"out": Result(name, shape)},
                reference,
            )


def offsets() -> Iterator[Case]:
    """Pointers plus and minus integers of every type: unsigned ones below 64 bits extend by zeros."""
    for i, offset in enumerate(INTEGERS):
        for j, name in enumerate(["i8", "fp16", "fp32", "i64", "bf16", "u8", "i1", "fp8e5"]):
            x = Data(name, samples.values(name, (16,), f"{name}{offset}"))
            if TYPES[offset].is_signed and (i + j) % 2:
                p = Data(offset, samples.moderate(offset, (8,), f"p{name}", -8, 8))
                body = [f"r = tl.load(x + 8 + {load('p', (8,))})", typed("r", name), store("out", (8,), "r")]
                places = p.values.astype(np.int64) + 8
            elif TYPES[offset].is_signed:
                p = Data(offset, samples.moderate(offset, (8,), f"q{name}", -7, 8))
                body = [f"r = tl.load(x + 8 - {load('p', (8,))})", store("out", (8,), "r")]
                places = 8 - p.values.astype(np.int64)
            else:
                p = Data(offset, samples.moderate(offset, (8,), f"r{name}", 0, 16))
                body = [f"r = tl.load({load('p', (8,))} + x)", store("out", (8,), "r")]
                places = p.values.astype(np.int64)
            yield Case(
                "memory",
                f"{name} pointer {offset} {j}",
                body,
                {"x": x, "p": p},
                {"out": Result(name, (8,))},
                lambda x=x, p=places: {"out": x.values[p]},
            )


def strided() -> Iterator[Case]:
    """Several programs, strides as arguments."""
    for i, name in enumerate(NAMES):
        x = Data(name, samples.values(name, (8, 8), f"strided {name}"))
        sr, sc = [(1, 8), (8, 1), (16, 2)][i % 3]
        rows = 8 if (sr, sc) != (16, 2) else 4
        body = [
            "r = tl.program_id(0) * 2 + tl.arange(0, 2)[:, None]",
            "c = tl.arange(0, 4)[None, :]",
            "tl.store(out + r * 4 + c, tl.load(x + r * sr + c * sc))",
        ]
        flat = x.values.ravel()
        places = np.arange(rows)[:, None] * sr + np.arange(4)[None, :] * sc
        yield Case(
            "memory",
            f"strided {name} {sr} {sc}",
            body,
            {"x": x, "sr": sr, "sc": sc},
            {"out": Result(name, (rows, 4))},
            lambda f=flat, p=places: {"out": f[p]},
            grid=(rows // 2,),
        )


def block_pointers() -> Iterator[Case]:
    for i, name in enumerate([*INTEGERS[:6:2], "i64", *FLOATS, "fp8e5"]):
        for j, padding in enumerate(["zero", "nan"] if is_float(name) and name != "fp8e5" else ["zero"]):
            for row, column in ((0, 0), (1, 2), (-1, 3)):
                x = Data(name, samples.values(name, (3, 6), f"block {name}"))
                made = f"tl.make_block_ptr(x, (rows, 6), (6, 1), ({row}, {column - 2}), (4, 4), (1, 0))"
                body = [
                    f"p = tl.advance({made}, (0, 2))",
                    f"r = tl.load(p, boundary_check=(0, 1), padding_option='{padding}')",
                    store("out", (4, 4), "r"),
                ]

                def reference(x=x, row=row, column=column, padding=padding):
                    wide = np.full((8, 14), np.nan if padding == "nan" else 0, dtype=x.values.dtype)
                    wide[2:5, 4:10] = x.values
                    return {"out": wide[2 + row : 6 + row, 4 + column : 8 + column]}

                yield Case(
                    "memory",
                    f"block pointer {name} {padding} {row} {column}",
                    body,
                    {"x": x, "rows": 3},
                    {"out": Result(name, (4, 4))},
                    reference,
                )
        x = Data(name, samples.values(name, (4, 4), f"store block {name}"))
        body = [
            f"x_ = {load('x', (4, 4))}",
            "p = tl.make_block_ptr(out, (5, 6), (6, 1), (2, i), (4, 4), (1, 0))",
            "tl.store(p, x_, boundary_check=(0, 1))",
        ]

        def kept(x=x, i=i % 4):
            out = np.zeros((5, 6), x.values.dtype)
            out[2:5, i : i + 4] = x.values[:3, : 6 - i]
            return {"out": out}

        yield Case("memory", f"store block {name}", body, {"x": x, "i": i % 4}, {"out": Result(name, (5, 6))}, kept)


def descriptors() -> Iterator[Case]:
    for i, name in enumerate(["i8", "u8", "i16", "i32", "u32", "i64", *FLOATS, "fp8e5"]):
        width = 16 // TYPES[name].numpy.itemsize * 2
        x = Data(name, samples.values(name, (6, width), f"descriptor {name}"))
        half = width // 2
        for row, column in ((0, 0), (4, half)):
            body = [
                f"d = tl.make_tensor_descriptor(x, [6, {width}], [{width}, 1], [4, {half}])",
                f"r = d.load([row, {column}])",
                "r = r.reshape(4, " + f"{half})",
                store("out", (4, half), "r"),
            ]

            def reference(x=x, row=row, column=column, half=half):
                out = np.zeros((4, half), x.values.dtype)
                part = x.values[row : row + 4, column : column + half]
                out[: part.shape[0]] = part
                return {"out": out}

            yield Case(
                "memory",
                f"descriptor {name} {row} {column}",
                body,
                {"x": x, "row": row},
                {"out": Result(name, (4, half))},
                reference,
            )
        y = Data(name, samples.values(name, (4, half), f"stored {name}"))
        body = [
            f"y_ = {load('y', (4, half))}",
            f"d = tl.make_tensor_descriptor(out, [6, {width}], [{width}, 1], [4, {half}])",
            f"d.store([row, {half}], y_)",
        ]

        def kept(y=y, half=half, width=width):
            out = np.zeros((6, width), y.values.dtype)
            out[4:, half:] = y.values[:2]
            return {"out": out}

        yield Case(
            "memory", f"descriptor store {name}", body, {"y": y, "row": 4}, {"out": Result(name, (6, width))}, kept
        )


ATOMIC_TYPES = ["i32", "u32", "i64", "u64", "fp32", "fp64", "fp16", "bf16"]
ATOMICS = {
    "add": (None, ATOMIC_TYPES),
    "max": (True, ["i32", "u32", "i64", "u64", "fp32", "fp64"]),
    "min": (False, ["i32", "u32", "i64", "u64", "fp32", "fp64"]),
    "and": (lambda a, b: a & b, ATOMIC_TYPES[:4]),
    "or": (lambda a, b: a | b, ATOMIC_TYPES[:4]),
    "xor": (lambda a, b: a ^ b, ATOMIC_TYPES[:4]),
    "xchg": (lambda a, b: b, ["i32", "u32", "i64", "u64", "fp32", "fp64"]),
}


def update(op: str, name: str, rule):
    """(old, value) -> new, on 0-dimensional arrays."""
    if op == "xchg":
        return lambda a, b: b
    if op == "add":
        return (
            (lambda a, b: in_float(name, np.add, a, b))
            if is_float(name)
            else (lambda a, b: in_ints(name, lambda p, q: p + q, a, b))
        )
    if op in ("max", "min"):
        return (
            (lambda a, b: extreme(name, rule, a, b))
            if is_float(name)
            else (lambda a, b: in_ints(name, max if rule else min, a, b))
        )
    return lambda a, b: in_ints(name, rule, a, b)


def atomics() -> Iterator[Case]:
    """Blocks with addresses that occur twice, masks, programs, scalars; the old values too where each address occurs
    once."""
    number = 0
    for op, (rule, names) in ATOMICS.items():
        for name in names:
            combine = update(op, name, rule)
            for form in ("distinct", "shared", "masked", "scalar"):
                if form == "shared" and op == "xchg":
                    continue
                number += 1
                yield atomic(op, name, combine, form, number)


def atomic(op: str, name: str, combine, form: str, number: int) -> Case:
    key = f"atomic_{op} {name} {form}"
    count = 1 if form == "scalar" else 8
    start = samples.whole(name, (count,), key, 5)
    x = samples.whole(name, (count,), key + "x", 5)
    places = np.arange(count) // (4 if form == "shared" else 1)
    mask = np.arange(count) % 3 != 1 if form == "masked" else np.ones(count, bool)
    sem = ["", ", sem='relaxed'", ", sem='acquire', scope='cta'", ", sem='release'"][number % 4]
    if form == "scalar":
        body = ["tl.store(out, tl.load(y))", f"old = tl.atomic_{op}(out, tl.load(x){sem})", "tl.store(before, old)"]
    else:
        more = ", mask=i % 3 != 1" if form == "masked" else ""
        body = [
            "i = tl.arange(0, 8)",
            "tl.store(out + i, tl.load(y + i))",
            "tl.debug_barrier()",
            f"old = tl.atomic_{op}(out + i // {4 if form == 'shared' else 1}, tl.load(x + i){more}{sem})",
        ]
        body += (
            ["tl.store(before + i, old, mask=i % 3 != 1)"]
            if form == "masked"
            else []
            if form == "shared"
            else ["tl.store(before + i, old)"]
        )
        body += ["tl.store(before + i, tl.load(y + i))"] if form == "shared" else []

    def reference():
        out, before = start.copy(), np.zeros_like(start)
        for lane in np.flatnonzero(mask):
            place = places[lane]
            before[lane] = out[place]
            out[place] = combine(out[place : place + 1], x[lane : lane + 1])[0]
        return {"out": out, "before": start.copy() if form == "shared" else before}

    shape = (count,)
    return Case(
        "atomics",
        key,
        body,
        {"y": Data(name, start), "x": Data(name, x)},
        {"out": Result(name, shape), "before": Result(name, shape)},
        reference,
    )


def atomic_values() -> Iterator[Case]:
    """Values that are numbers or arguments; compare-and-swap; counters of many programs."""
    for name in ATOMIC_TYPES:
        for value in (3, 2.5, "s"):
            number = 7 if value == "s" else value
            source = type_of_argument(number) if value == "s" else type_of_number(number)
            more = {"s": 7} if value == "s" else {}
            body = [f"tl.atomic_add(out + tl.arange(0, 4), {value})"]
            expected = lambda n=name, v=number, s=source: {
                "out": np.full(4, convert(np.asarray(number_as(v, s)), s, n))
            }
            yield Case("atomics", f"add {value} to {name}", body, more, {"out": Result(name, (4,))}, expected)
        body = ["tl.atomic_add(out, tl.load(x + tl.program_id(0)))"]
        x = Data(name, samples.whole(name, (16,), f"programs {name}", 2))
        total = lambda x=x, n=name: {
            "out": np.asarray(np.sum(x.values.astype(np.float64) if is_float(n) else x.values, dtype=None))
            .astype(x.values.dtype)
            .reshape(1)
        }
        yield Case("atomics", f"sum of programs {name}", body, {"x": x}, {"out": Result(name, (1,))}, total, grid=(16,))
    for name in ("i32", "i64", "u32", "u64", "fp32", "fp64", "i16", "fp16", "bf16"):
        y = Data(name, samples.whole(name, (8,), f"swap {name}", 1))
        body = [
            "i = tl.arange(0, 8)",
            "tl.store(out + i, tl.load(y + i))",
            "tl.debug_barrier()",
            f"one = tl.full((8,), 1, tl.{TYPES[name].triton})",
            "old = tl.atomic_cas(out + i, one, one + one)",
            "tl.store(before + i, old)",
        ]
        swapped = lambda y=y: {"out": np.where(y.values == 1, y.values + y.values, y.values), "before": y.values}
        yield Case(
            "atomics",
            f"compare and swap {name}",
            body,
            {"y": y},
            {"out": Result(name, (8,)), "before": Result(name, (8,))},
            swapped,
        )


def cases() -> Iterator[Case]:
    for each in (masked_loads, masked_stores, offsets, strided, block_pointers, descriptors, atomics, atomic_values):
        yield from each()
