"""Pairs of types and numbers that the language refuses: both front ends must, with an exception and without a launch."""

from __future__ import annotations

from collections.abc import Iterator

import samples
from case import Case, Data, simple
from scalar_types import (
    FLOAT8,
    NAMES,
    WHOLE,
    Refused,
    is_float,
    kind,
    promoted_with_number,
)

from families.binary import common_of, expression


def refused(name: str, operands: dict[str, Data], text: str) -> Case:
    case = simple("refusals", name, operands, text, "i32", (8,), lambda: None)
    case.body = [line for line in case.body if not line.startswith("tl.static_assert")]
    return case


def pairs() -> Iterator[Case]:
    for i, left in enumerate(NAMES):
        for j, right in enumerate(NAMES):
            op = ["+", "%", "//", "&", "<<", "/"][(i + j) % 6]
            try:
                common = common_of(op, left, right)
            except Refused:
                common = ""
            bits = op in ("&", "<<", "//") and (common == "" or is_float(common))
            if common and not bits:
                continue
            operands = {n: Data(t, samples.whole(t, (8,), f"{n}{t}")) for n, t in (("x", left), ("y", right))}
            yield refused(f"{left} {op} {right}", operands, expression(op))


def numbers() -> Iterator[Case]:
    for name in NAMES:
        for value in (-1, 300, 70000, 2**33, 2**63, 2**64, 0.5, 3):
            op = ["+", "*", "&"][len(f"{name}{value}") % 3]
            try:
                common = promoted_with_number(name, value)
                if (op != "&" or not is_float(common)) and common not in FLOAT8:
                    continue
            except Refused:
                pass
            if kind(name) == "bool" and op == "&" and value == 3:
                continue
            yield refused(
                f"{name} {op} {value}", {"x": Data(name, samples.whole(name, (8,), name))}, f"x_ {op} {value!r}"
            )


def functions() -> Iterator[Case]:
    """Functions that take some types only."""
    texts = {
        "tl.exp(x_)": ["i32", "fp16", "bf16", "i1"],
        "tl.sqrt(x_)": ["i64", "fp16", "u8"],
        "tl.clamp(x_, x_, x_)": ["i32", "u8"],
        "~x_": ["fp32", "fp16", "fp64"],
        "not x_": ["i32", "fp32"],
        "tl.umulhi(x_, x_)": ["i8", "fp32", "u16"],
        "tl.xor_sum(x_, 0) + x_": ["fp32", "fp16"],
        "x_.to(tl.int32, bitcast=True)": ["i8", "fp16", "fp64"],
        "tl.histogram(x_, 8)": ["fp32"],
        "x_ ** 2": WHOLE[:3],
        "0 < x_ < 3": ["i32", "fp32"],
        "tl.reshape(x_, 3)": ["i32"],
        "tl.reshape(x_, 16)": ["fp32"],
        "tl.broadcast_to(x_, 16)": ["fp32"],
        "x_ + tl.zeros((4,), tl.int32)": ["i32"],
        "tl.arange(0, 6)": ["i32"],
        "x_[0]": ["i32"],
        "tl.dot(x_, x_)": ["fp16"],
        "tl.gather(x_, x_, 0)": ["fp32"],
        "x_.to(tl.float32, fp_downcast_rounding='rtz')": ["fp16", "i32"],
    }
    for text, names in texts.items():
        for name in names:
            yield refused(f"{text} {name}", {"x": Data(name, samples.whole(name, (8,), name))}, text)


def cases() -> Iterator[Case]:
    yield from pairs()
    yield from numbers()
    yield from functions()
