"""Simpler kernels: statements of a TTIR text dropped, as long as what is left compiles and fails in the same way.

Works on the text, whose statements begin at the start of a line; the parser is the judge of what may be dropped. A
statement is dropped with its regions, and only if nothing names its results any more: stores, asserts, atomics and loops go
first, then what only they used."""

from __future__ import annotations

import re
from collections.abc import Callable

_RESULT = re.compile(r"^\s*(%[\w$.-]+)(?::\d+)? = ")
_KEPT = ("module", "tt.func", "tt.return", "scf.yield", "scf.condition", "tt.reduce.return", "tt.scan.return", "cf.", "^", "}", "#")


def _head(line: str) -> str:
    text = line.strip()
    match = _RESULT.match(line)
    return line[match.end() :].strip() if match else text


def statements(lines: list[str]) -> list[tuple[int, int]]:
    """(first line, line after the last) of every statement, inner ones after the outer."""
    found = []
    for number, line in enumerate(lines):
        head = _head(line)
        if not line.strip() or head.startswith(_KEPT) or head.lstrip('"').startswith(("tt.return", "scf.yield", "tt.reduce.return")):
            continue
        found.append((number, _end(lines, number)))
    return found


def _end(lines: list[str], first: int) -> int:
    """The line after the statement's last: where its braces and parentheses close."""
    depth = 0
    for number in range(first, len(lines)):
        text = re.sub(r'"(?:[^"\\]|\\.)*"', '""', lines[number])
        depth += text.count("{") + text.count("(") - text.count("}") - text.count(")")
        opens = text.rstrip().endswith(("{", "({"))
        following = lines[number + 1].strip() if number + 1 < len(lines) else ""
        if depth <= 0 and not opens and not following.startswith(("} else", "}, {")):
            return number + 1
    return len(lines)


def _is_used(lines: list[str], first: int, last: int) -> bool:
    match = _RESULT.match(lines[first])
    if match is None:
        return False
    name = re.compile(re.escape(match[1]) + r"(?![\w$.-])")
    return any(name.search(line) for number, line in enumerate(lines) if not first <= number < last)


def simplified(text: str, fails: Callable[[str], bool], most: int = 2000) -> tuple[str, int]:
    """The shortest text that was found, and how many were tried. `fails`: whether a text fails in the same way; it answers
    False for one that does not compile."""
    lines = text.splitlines()
    tried = 0
    progress = True
    while progress and tried < most:
        progress = False
        place = len(lines)
        while place > 0 and tried < most:
            place -= 1
            bounds = next((one for one in statements(lines) if one[0] == place), None)
            if bounds is None or _is_used(lines, *bounds):
                continue
            shorter = lines[: bounds[0]] + lines[bounds[1] :]
            tried += 1
            if fails("\n".join(shorter) + "\n"):
                lines, progress = shorter, True
    return "\n".join(lines) + "\n", tried


def count(text: str) -> int:
    """How many statements a text has."""
    return len(statements(text.splitlines()))
