"""Expressions over the axes of a campaign: `{next_power_of_2(columns)}` in a text, and `where = "rows * columns < 9000"`.

A closed grammar: numbers, texts, names, + - * // %, comparisons, and/or/not, and the functions below. Nothing of Python's is
reachable from it."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

_LARGEST = 2**63
_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod}  # fmt: skip
_COMPARE: dict[type, Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne, ast.In: lambda one, many: one in many, ast.NotIn: lambda one, many: one not in many}  # fmt: skip
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "cdiv": lambda a, b: -(-a // b),
    "next_power_of_2": lambda n: 1 << max(int(n) - 1, 0).bit_length(),
}
_HOLE = re.compile(r"\{([^{}]*)\}")


class ExpressionError(ValueError):
    """An expression cannot be read, or has no value for these axes."""


def evaluate(text: str, names: Mapping[str, Any]) -> Any:
    """The value of an expression. Raises ExpressionError."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
        return _value(tree.body, names)
    except (SyntaxError, RecursionError, MemoryError):
        raise ExpressionError(f"'{text}' is not an expression") from None
    except (TypeError, ValueError, ZeroDivisionError) as error:
        if isinstance(error, ExpressionError):
            raise
        raise ExpressionError(f"'{text}': {error}") from None


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str, bool)):
        return node.value
    if isinstance(node, ast.Name):
        return _name(node.id, names)
    if isinstance(node, (ast.Tuple, ast.List)):
        return [_value(one, names) for one in node.elts]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not)):
        value = _value(node.operand, names)
        return not value if isinstance(node.op, ast.Not) else -value
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _bounded(_BINARY[type(node.op)](_number(node.left, names), _number(node.right, names)))
    if isinstance(node, ast.BoolOp):
        values = (_value(one, names) for one in node.values)
        return all(values) if isinstance(node.op, ast.And) else any(values)
    if isinstance(node, ast.Compare) and all(type(op) in _COMPARE for op in node.ops):
        return _compare(node, names)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _call(node.func.id, [_value(one, names) for one in node.args])
    raise ExpressionError(f"'{ast.unparse(node)}' is not allowed here: + - * // % comparisons, {', '.join(_FUNCTIONS)}")


def _name(name: str, names: Mapping[str, Any]) -> Any:
    if name in names:
        return names[name]
    constants = {"true": True, "false": False, "none": None}
    if name in constants:
        return constants[name]
    raise ExpressionError(f"there is no axis '{name}'; there are {', '.join(names) or 'none'}")


def _number(node: ast.expr, names: Mapping[str, Any]) -> Any:
    value = _value(node, names)
    if not isinstance(value, (int, float)):
        raise ExpressionError(f"'{ast.unparse(node)}' is {value!r}, which is not a number")
    return value


def _bounded(value: Any) -> Any:
    if abs(value) > _LARGEST:
        raise ExpressionError("a number is beyond 2**63")
    return value


def _compare(node: ast.Compare, names: Mapping[str, Any]) -> bool:
    left = _value(node.left, names)
    for op, right_node in zip(node.ops, node.comparators, strict=True):
        right = _value(right_node, names)
        if not _COMPARE[type(op)](left, right):
            return False
        left = right
    return True


def _call(name: str, arguments: list[Any]) -> Any:
    if name not in _FUNCTIONS:
        raise ExpressionError(f"there is no function '{name}'; there are {', '.join(_FUNCTIONS)}")
    return _bounded(_FUNCTIONS[name](*arguments))


def spelled(value: Any) -> str:
    """A value in the notation of `lockstep run`."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def fill(text: str, names: Mapping[str, Any]) -> str:
    """`text` with every {EXPRESSION} replaced by its value. Raises ExpressionError."""
    return _HOLE.sub(lambda hole: spelled(evaluate(hole[1], names)), text)
