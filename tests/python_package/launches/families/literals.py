"""Operators of a tensor with a Python number: written in the kernel (weak), as a constexpr parameter (weak),
assigned to a name (strong), as a kernel argument (strong, but for the int 1).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import samples
from case import Case, Data, Result, load, simple, store, typed
from conversion import convert, number_as
from elementwise import COMPARISONS, binary, selected, shifted_right
from scalar_types import (
    FLOAT8,
    NAMES,
    WHOLE,
    Refused,
    is_float,
    is_signed,
    kind,
    promoted_with_number,
    type_of_argument,
    type_of_number,
)

from families.binary import ARITHMETIC, common_of, expression

NUMBERS = [True, 3, -5, 100, 2**40, 0.5, -2.75, 3.3, 1e300, 1e-40, math.inf]
ARGUMENTS = [True, 1, 5, -7, 2**31 - 1, 2**40 + 3, -(2**35), 2**63 + 5, 0.3, -2.5, 1e300]
SHAPES = [(16,), (4, 8), (), (2, 2, 4)]
BITWISE = ["&", "|", "^"]
SHIFTS = ["<<", ">>"]


def text_of(value) -> str:
    return "float('inf')" if value == math.inf and isinstance(value, float) else repr(value)


def is_strong(op: str) -> bool:
    """Comparisons, minimum and maximum make a tensor of the number first."""
    return op in COMPARISONS or op[0] == "m"


def weak_type(op: str, tensor: str, value) -> str:
    common = promoted_with_number(tensor, value, op in ("/", "%", "//"))
    return "fp32" if op == "/" and not is_float(common) else common


def operand(value, number_type: str, common: str) -> np.ndarray:
    """A number that became a tensor, converted to the common type."""
    return convert(number_as(value, number_type), number_type, common)


def check_allowed(op: str, common: str, value, is_left: bool):
    if op in (*BITWISE, *SHIFTS, "//") and is_float(common):
        raise Refused("floats")
    if op in SHIFTS and (is_left or not 0 <= value < (8 if not isinstance(value, bool) else 2) or common == "i1"):
        raise Refused("an amount that the width does not hold")
    if op in ("%", "//") and value == 0:
        raise Refused("division by zero")
    if common in FLOAT8:
        raise Refused("Triton has no constants of 8-bit floats")


def result_of(op: str, common: str, x: np.ndarray, tensor: str, number: np.ndarray, is_left: bool) -> np.ndarray:
    a = convert(x, tensor, common)
    if op == ">>":
        return shifted_right(common, is_signed(tensor), a, number)
    return binary(op, common, number, a) if is_left else binary(op, common, a, number)


def data_for(op: str, tensor: str, common: str, shape, key: str, is_left: bool) -> np.ndarray:
    if op == "%" and is_float(common):
        return samples.nonzero(samples.moderate(tensor, shape, key), tensor)
    data = samples.values(tensor, shape, key)
    return samples.nonzero(data, tensor) if op in ("%", "//") and is_left else data


def weak_case(op: str, tensor: str, value, number: int, form: str) -> Case:
    """`form`: "literal", "constexpr" (a parameter) or "helper" (a literal bound in a function that is called)."""
    is_left = number % 3 == 0
    if is_strong(op):
        number_type = type_of_number(value)
        common = common_of(op, *((number_type, tensor) if is_left else (tensor, number_type)))
        y = operand(value, number_type, common)
    else:
        common = weak_type(op, tensor, value)
        y = number_as(value, common)
    check_allowed(op, common, value, is_left)
    shape = SHAPES[number % len(SHAPES)]
    name = f"{form} {tensor} {op} {value}{' reversed' if is_left else ''} {shape}"
    x = data_for(op, tensor, common, shape, name, is_left)
    word = {"literal": text_of(value), "constexpr": "C", "helper": "v"}[form]
    text = expression(op, *((word, "x_") if is_left else ("x_", word)))
    helpers = ""
    if form == "helper":
        helpers = f"@triton.jit\ndef helper(x_, v):\n    return {text}\n\n"
        text = f"helper(x_, {text_of(value)})"
    result = "i1" if op in COMPARISONS else common
    return simple(
        "literals",
        name,
        {"x": Data(tensor, x)},
        text,
        result,
        shape,
        lambda: result_of(op, common, x, tensor, y, is_left),
        constants={"C": value} if form == "constexpr" else {},
        helpers=helpers,
    )


def strong_case(op: str, tensor: str, value, number: int, form: str) -> Case:
    """`form`: "argument", or "assigned" (a local name bound to a literal)."""
    is_left = number % 3 == 1
    number_type = type_of_argument(value) if form == "argument" else type_of_number(value)
    common = common_of(op, *((number_type, tensor) if is_left else (tensor, number_type)))
    check_allowed(op, common, value, is_left)
    y = operand(value, number_type, common)
    shape = SHAPES[number % len(SHAPES)]
    name = f"{form} {tensor} {op} {value}{' reversed' if is_left else ''} {shape}"
    x = data_for(op, tensor, common, shape, name, is_left)
    result = "i1" if op in COMPARISONS else common
    text = expression(op, *(("s", "x_") if is_left else ("x_", "s")))
    body = [
        f"x_ = {load('x', shape)}",
        *([f"s = {text_of(value)}"] if form == "assigned" else []),
        f"r = {text}",
        typed("r", result),
        store("out", shape, "r"),
    ]
    arguments = {"x": Data(tensor, x), **({"s": value} if form == "argument" else {})}
    signed_left = is_signed(number_type if is_left else tensor)

    def reference():
        a = convert(x, tensor, common)
        if op == ">>":
            return {"out": shifted_right(common, signed_left, a, y)}
        return {"out": np.broadcast_to(binary(op, common, y, a) if is_left else binary(op, common, a, y), shape)}

    return Case("scalars", name, body, arguments, {"out": Result(result, shape)}, reference)


def where_cases() -> Iterator[Case]:
    """Weak numbers in tl.where; both of its sides."""
    for i, tensor in enumerate(NAMES):
        for j, value in enumerate(NUMBERS):
            if (i + j) % 2:
                continue
            try:
                common = promoted_with_number(tensor, value)
                check_allowed("+", common, value, False)
            except Refused:
                continue
            shape = SHAPES[(i + j) % len(SHAPES)]
            name = f"where {tensor} {value} {shape}"
            c, x = samples.values("i1", shape, name), samples.values(tensor, shape, name)

            def reference(c=c, x=x, tensor=tensor, common=common, value=value, first=j % 4 < 2):
                a, b = convert(x, tensor, common), np.broadcast_to(number_as(value, common), x.shape)
                return selected(c, a, b) if first else selected(c, b, a)

            text = f"tl.where(c_, x_, {text_of(value)})" if j % 4 < 2 else f"tl.where(c_, {text_of(value)}, x_)"
            yield simple("literals", name, {"c": Data("i1", c), "x": Data(tensor, x)}, text, common, shape, reference)


def argument_pairs() -> Iterator[Case]:
    """Two kernel arguments, or one with a literal, without any tensor."""
    for i, left in enumerate(ARGUMENTS):
        for j, right in enumerate(ARGUMENTS):
            if 1 in (left, right) and not isinstance(left, bool) and not isinstance(right, bool):
                continue
            op = ["+", "*", "-", "<", "maximum", "=="][(i + j) % 6]
            a_type, b_type = type_of_argument(left), type_of_argument(right)
            common = common_of(op, a_type, b_type)
            result = "i1" if op in COMPARISONS else common

            def reference(op=op, common=common, left=left, right=right, a_type=a_type, b_type=b_type):
                return {
                    "out": np.asarray(binary(op, common, operand(left, a_type, common), operand(right, b_type, common)))
                }

            body = [f"r = {expression(op, 's', 't')}", typed("r", result), store("out", (), "r")]
            if op == "==" and isinstance(left, bool) and isinstance(right, bool):
                continue
            yield Case(
                "scalars",
                f"arguments {left} {op} {right}",
                body,
                {"s": left, "t": right},
                {"out": Result(result, ())},
                reference,
            )


def operators_for(tensor: str, number: int) -> list[str]:
    ops = [
        ARITHMETIC[number % 3],
        ["/", "%"][number % 2],
        list(COMPARISONS)[number % 6],
        ["minimum", "maximum"][number % 2],
    ]
    if tensor in WHOLE:
        ops += [BITWISE[number % 3], SHIFTS[number % 2]] + (["//"] if kind(tensor) == "int" else [])
    return ops


def cases() -> Iterator[Case]:
    number = 0
    for tensor in NAMES:
        for build, numbers, forms in (
            (weak_case, NUMBERS, ["literal", "constexpr", "literal", "helper"]),
            (strong_case, ARGUMENTS, ["argument"]),
            (strong_case, NUMBERS, ["assigned"]),
        ):
            for position, value in enumerate(numbers):
                for op in operators_for(tensor, position + NAMES.index(tensor)):
                    number += 1
                    if forms == ["assigned"] and number % 3:
                        continue
                    form = forms[number % len(forms)]
                    try:
                        is_weak_argument = form == "argument" and value == 1 and not isinstance(value, bool)
                        yield (
                            argument_one(op, tensor, number)
                            if is_weak_argument
                            else build(op, tensor, value, number, form)
                        )
                    except Refused:
                        continue
    yield from where_cases()
    yield from argument_pairs()


def argument_one(op: str, tensor: str, number: int) -> Case:
    """The argument 1 is a constant: weak."""
    made = weak_case(op, tensor, 1, number, "constexpr")
    made.name = made.name.replace("constexpr", "argument")
    made.arguments["C"] = made.constants.pop("C")
    return made
