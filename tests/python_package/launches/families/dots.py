"""tl.dot of every type and precision, shapes, batches, accumulators; tl.dot_scaled. Whole numbers must come out
exactly, fractions within the bound of one chain of sums.
"""

from __future__ import annotations

from collections.abc import Iterator

import ml_dtypes
import numpy as np
import samples
from case import Case, Data, Result, load, store, typed
from scalar_types import FLOAT8, TYPES

U = 2.0**-24
SIZES = [(16, 16, 16), (32, 16, 64), (16, 32, 32), (64, 16, 16)]
RESULT = {"i8": "i32", "fp64": "fp64"}
PRECISIONS = {"tf32": 2.0**-10, "tf32x3": 2.0**-19, "ieee": 0.0, "bf16x3": 2.0**-15, "bf16x6": 2.0**-22}


def cut_to_tf32(values: np.ndarray) -> np.ndarray:
    """The 13 low bits are not read."""
    return (values.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)


def product(a: np.ndarray, b: np.ndarray, c: np.ndarray | None, lost: float = 0.0):
    """In float64, and what a chain of K float32 additions and a relative error of each product may change."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    exact, size = a @ b, np.abs(a) @ np.abs(b)
    if c is not None:
        exact, size = exact + c.astype(np.float64), size + np.abs(c.astype(np.float64))
    return exact, (a.shape[-1] * U * 1.01 + lost) * size + 2.0**-149


def one(
    name: str,
    size,
    key: str,
    *,
    precision: str = "",
    out: str = "",
    with_acc: bool = False,
    batch: int = 0,
    is_whole: bool = True,
) -> Case:
    m, n, k = size
    lead = (batch,) if batch else ()
    make = (
        (lambda s, t: samples.whole(name, s, key + t))
        if is_whole
        else (lambda s, t: samples.moderate(name, s, key + t, -2, 2))
    )
    a, b = make((*lead, m, k), "a"), make((*lead, k, n), "b")
    result = out or RESULT.get(name, "fp32")
    c = samples.whole(result, (*lead, m, n), key + "c", 50) if with_acc else None
    words = (
        (["acc=c_"] if with_acc else [])
        + ([f"input_precision='{precision}'"] if precision else [])
        + ([f"out_dtype=tl.{TYPES[result].triton}"] if result != "fp32" else [])
    )
    operands = {"a": Data(name, a), "b": Data(name, b), **({"c": Data(result, c)} if with_acc else {})}
    body = [f"{each}_ = {load(each, data.values.shape)}" for each, data in operands.items()]
    body += [f"r = tl.dot({', '.join(['a_', 'b_', *words])})", typed("r", result), store("out", (*lead, m, n), "r")]

    def reference():
        if result == "i32":
            wide = a.astype(np.int64) @ b.astype(np.int64)
            return {"out": (wide + (0 if c is None else c)).astype(np.int32)}
        is_cut = name == "fp32" and (precision or "tf32") == "tf32"
        left, right = (cut_to_tf32(a), cut_to_tf32(b)) if is_cut else (a, b)
        exact, bound = product(left, right, c, 0.0 if is_cut or name != "fp32" else PRECISIONS[precision])
        if is_whole:
            return {"out": exact.astype(TYPES[result].numpy)}
        if result == "fp16":
            bound = bound + np.abs(exact) * 2.0**-11 + 2.0**-25
        if result == "fp64":
            bound = bound * 2.0**-29
        return {"out": (exact, bound)}

    return Case("dots", f"dot {name} {size} {key}", body, operands, {"out": Result(result, (*lead, m, n))}, reference)


def plain() -> Iterator[Case]:
    for i, name in enumerate(["fp16", "bf16", "fp32", "fp64", "i8", "fp8e5", "fp8e4nv"]):
        for j, size in enumerate(SIZES):
            size = (size[0], size[1], max(size[2], 32)) if name in ("i8", *FLOAT8) else size
            for is_whole in (True, False):
                if name == "i8" and not is_whole:
                    continue
                yield one(
                    name,
                    size,
                    f"{'whole' if is_whole else 'fractions'} {j}",
                    with_acc=(i + j) % 2 == 0,
                    is_whole=is_whole,
                )
        yield one(name, (16, 16, 32), "batch", batch=2)
        yield one(name, (16, 16, 32), "batch of fractions with acc", batch=4, with_acc=True, is_whole=name == "i8")
    for name in ("fp16", "fp8e5", "fp8e4nv"):
        for with_acc in (False, True):
            for is_whole in (True, False):
                yield one(
                    name,
                    (16, 16, 32),
                    f"to fp16 {with_acc} {is_whole}",
                    out="fp16",
                    with_acc=with_acc,
                    is_whole=is_whole,
                )
    for precision in PRECISIONS:
        for size in SIZES[:3]:
            for is_whole in (True, False):
                yield one(
                    "fp32",
                    size,
                    f"{precision} {is_whole}",
                    precision=precision,
                    is_whole=is_whole,
                    with_acc=size[0] == 32,
                )
    for name in FLOAT8:
        other = FLOAT8[1 - FLOAT8.index(name)]
        yield mixed(name, other)


def mixed(left: str, right: str) -> Case:
    a, b = samples.whole(left, (16, 32), left), samples.whole(right, (32, 16), right)
    body = [
        f"a_ = {load('a', (16, 32))}",
        f"b_ = {load('b', (32, 16))}",
        "r = tl.dot(a_, b_)",
        store("out", (16, 16), "r"),
    ]
    reference = lambda: {"out": (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32)}
    return Case(
        "dots",
        f"dot {left} {right}",
        body,
        {"a": Data(left, a), "b": Data(right, b)},
        {"out": Result("fp32", (16, 16))},
        reference,
    )


FORMATS = {"e2m1": 2, "e4m3": 1, "e5m2": 1, "bf16": 1, "fp16": 1}
E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])


def scaled_operand(form: str, rows: int, k: int, key: str) -> tuple[Data, np.ndarray]:
    """Rows of K numbers as they are stored, and what they are."""
    rng = samples.generator(key)
    if form == "e2m1":
        codes = rng.integers(0, 16, (rows, k))
        return Data("u8", (codes[:, ::2] | codes[:, 1::2] << 4).astype(np.uint8)), E2M1[codes]
    values = rng.integers(-3, 4, (rows, k)).astype(np.float64)
    if form in ("e4m3", "e5m2"):
        kind = ml_dtypes.float8_e4m3fn if form == "e4m3" else ml_dtypes.float8_e5m2
        return Data("u8", values.astype(kind).view(np.uint8)), values
    return Data(form, values.astype(TYPES[form].numpy)), values


def scaled() -> Iterator[Case]:
    number = 0
    for left in FORMATS:
        for right in FORMATS:
            number += 1
            if {left, right} == {"fp16", "bf16"}:
                continue
            yield scaled_one(left, right, number)


def scaled_one(left: str, right: str, number: int) -> Case:
    k = 64
    key = f"scaled {left} {right}"
    (a, x), (b, y) = scaled_operand(left, 16, k, key + "a"), scaled_operand(right, 16, k, key + "b")
    b = Data(b.type, np.ascontiguousarray(b.values.T))  # [K, N], packed along K
    has_left, has_right = left not in ("bf16", "fp16"), right not in ("bf16", "fp16")
    s, t = (Data("u8", samples.generator(key + w).integers(125, 130, (16, k // 32)).astype(np.uint8)) for w in "st")
    operands = {"a": a, "b": b, **({"s": s} if has_left else {}), **({"t": t} if has_right else {})}
    body = [f"{each}_ = {load(each, data.values.shape)}" for each, data in operands.items()]
    words = f"a_, {'s_' if has_left else 'None'}, '{left}', b_, {'t_' if has_right else 'None'}, '{right}'"
    body += [f"r = tl.dot_scaled({words})", store("out", (16, 16), "r")]

    def reference():
        p = x * (np.exp2(np.repeat(s.values.astype(np.float64) - 127, 32, 1)) if has_left else 1)
        q = y * (np.exp2(np.repeat(t.values.astype(np.float64) - 127, 32, 1)) if has_right else 1)
        return {"out": (p @ q.T).astype(np.float32)}

    return Case("dots", f"{key} {number}", body, operands, {"out": Result("fp32", (16, 16))}, reference)


def cases() -> Iterator[Case]:
    yield from plain()
    yield from scaled()
