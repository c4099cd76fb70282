"""Operators of two tensors: every pair of types, ranks 0 to 4, with shapes that broadcast."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import samples
from case import Case, Data, simple
from conversion import convert, wrapped
from elementwise import binary, selected, shifted_right
from scalar_types import (
    FLOAT8,
    NAMES,
    TYPES,
    WHOLE,
    Refused,
    is_float,
    is_signed,
    kind,
    promoted,
)

#: Shapes of the operands, from scalars to rank 5; each pair broadcasts.
SHAPES = [
    ((16,), (16,)),
    ((4, 8), (4, 8)),
    ((8,), ()),
    ((4, 1), (1, 8)),
    ((2, 4, 4), (2, 4, 4)),
    ((), ()),
    ((4, 4), (4,)),
    ((2, 1, 4), (1, 4, 4)),
    ((), (2, 8)),
    ((2, 2, 2, 4), (2, 1, 2, 1)),
    ((1, 8), (4, 8)),
    ((2, 2, 1, 2, 2), (2, 2, 2, 2, 2)),
]
ARITHMETIC = ["+", "-", "*", "minimum", "maximum"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]


def expression(op: str, left: str = "x_", right: str = "y_") -> str:
    return f"tl.{op}({left}, {right})" if op[0] == "m" else f"{left} {op} {right}"


def common_of(op: str, left: str, right: str) -> str:
    """The type in which the operator computes."""
    if op in ("minimum", "maximum"):
        left, right = ("fp32" if each == "bf16" else each for each in (left, right))
    common = promoted(left, right, op in ("/", "%", "//"))
    return "fp32" if op == "/" and not is_float(common) else common


def operands_for(op: str, common: str, left: tuple, right: tuple, key: str) -> tuple[np.ndarray, np.ndarray]:
    """Values of two (type, shape) for which the operator is defined."""
    (left, shape_x), (right, shape_y) = left, right
    if (common in FLOAT8 and op in "+-*") or (op == "%" and is_float(common)):
        x, y = samples.moderate(left, shape_x, key + "x", -3, 3), samples.moderate(right, shape_y, key + "y", -3, 3)
        return x, samples.nonzero(y, right) if op == "%" else y
    x, y = samples.values(left, shape_x, key + "x"), samples.values(right, shape_y, key + "y")
    if op in ("//", "%"):
        return x, samples.nonzero(y, right)
    if op in ("<<", ">>"):
        amounts = min(TYPES[common].bits, 2 if right == "i1" else 256)
        return x, wrapped(samples.generator(key).integers(0, amounts, shape_y), right)
    return x, y


def pair(op: str, left: str, right: str, number: int) -> Case:
    """One launch; raises Refused where the language does."""
    if op == "//" and is_float(promoted(left, right, True)):
        raise Refused("// of floats")
    common = common_of(op, left, right)
    if op in ("&", "|", "^", "<<", ">>") and is_float(common):
        raise Refused("bits of floats")
    shape_x, shape_y = SHAPES[number % len(SHAPES)]
    name = f"{left} {op} {right} {shape_x}x{shape_y}"
    x, y = operands_for(op, common, (left, shape_x), (right, shape_y), name)
    result = "i1" if op in COMPARISONS else common
    shape = np.broadcast_shapes(shape_x, shape_y)

    def reference():
        a, b = convert(x, left, common), convert(y, right, common)
        if op == ">>":
            return np.broadcast_to(shifted_right(common, is_signed(left), a, b), shape)
        return np.broadcast_to(binary(op, common, a, b), shape)

    return simple("binary", name, {"x": Data(left, x), "y": Data(right, y)}, expression(op), result, shape, reference)


def where_case(left: str, right: str, number: int) -> Case:
    common = promoted(left, right)
    condition_type = NAMES[number % 9]
    shape_x, shape_y = SHAPES[number % len(SHAPES)]
    shape = np.broadcast_shapes(shape_x, shape_y)
    name = f"where {condition_type} {left} {right} {shape_x}x{shape_y}"
    c, x, y = (
        samples.values(t, s, name + n)
        for t, s, n in ((condition_type, shape, "c"), (left, shape_x, "x"), (right, shape_y, "y"))
    )

    def reference():
        a, b = convert(x, left, common), convert(y, right, common)
        return np.broadcast_to(selected(c != 0, a, b), shape)

    operands = {"c": Data(condition_type, c), "x": Data(left, x), "y": Data(right, y)}
    return simple("where", name, operands, "tl.where(c_, x_, y_)", common, shape, reference)


def attempts() -> Iterator[tuple[str, str, str, int]]:
    """(operator, left, right, running number) for every pair of types, each with operators of every group."""
    number = 0
    for i, left in enumerate(NAMES):
        for j, right in enumerate(NAMES):
            ops = [ARITHMETIC[(i + j) % 5], COMPARISONS[(i * 2 + j) % 6], ["/", "%"][(i + j // 2) % 2]]
            if left == right:
                ops = [*ARITHMETIC, *COMPARISONS, "/", "%"]
            if left in WHOLE and right in WHOLE:
                ops += ["&", "|", "^"] if left == right else ["&|^"[(i + j) % 3]]
                ops += ["//"] if kind(left) == "int" else []
                ops += ["<<", ">>"] if left == right else [["<<", ">>"][(i + j) % 2]]
            for op in ops:
                yield op, left, right, number
                number += 1


def cases() -> Iterator[Case]:
    for op, left, right, number in attempts():
        try:
            yield pair(op, left, right, number)
        except Refused:
            continue
    for i, left in enumerate(NAMES):
        for j, right in enumerate(NAMES):
            if (i + 2 * j) % 3 == 0:
                try:
                    yield where_case(left, right, i * 15 + j)
                except Refused:
                    continue
