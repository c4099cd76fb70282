"""Branches of a candidate's Python that no call took. Text is never a reason to reject: one that asks who is looking (environment,
modules, frames, the device's name) is named as not decided, unless it only raises."""

from __future__ import annotations

import ast
from dataclasses import dataclass

_ASKING = {
    "environ": "the environment", "getenv": "the environment", "modules": "loaded modules", "_getframe": "its caller",
    "currentframe": "its caller", "stack": "its caller", "get_device_name": "the device's name", "gethostname": "the machine",
    "argv": "the command line", "platform": "the machine", "getpid": "the process", "find_spec": "installed modules",
}


@dataclass
class Branch:
    """One that never ran."""

    line: int
    text: str  # the condition
    asks: str  # for whom; "": for nothing of the kind


def _asks(test: ast.expr) -> str:
    for node in ast.walk(test):
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if name in _ASKING:
            return _ASKING[name]
    return ""


def _is_refusal(body: list[ast.stmt]) -> bool:
    return all(isinstance(one, ast.Raise | ast.Assert | ast.Pass) for one in body)


def _ran(body: list[ast.stmt], lines: set[int]) -> bool:
    return any(line in lines for one in body for line in range(one.lineno, (one.end_lineno or one.lineno) + 1))


def _is_kernel(function: ast.FunctionDef) -> bool:
    return any("jit" in ast.unparse(one) or "autotune" in ast.unparse(one) for one in function.decorator_list)


def untaken(text: str, ran: list[int]) -> list[Branch]:
    """The bodies of `if` whose lines are not among `ran`, outside kernels."""
    lines, found = set(ran), []
    kernels = {inner for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef) and _is_kernel(node)
               for inner in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.If) or node.lineno in kernels or node.lineno not in lines:
            continue
        for body, text_of in ((node.body, ast.unparse(node.test)), (node.orelse, f"not ({ast.unparse(node.test)})")):
            if body and not _ran(body, lines):
                found.append(Branch(body[0].lineno, text_of, "" if _is_refusal(body) else _asks(node.test)))
    return found
