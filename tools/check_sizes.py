#!/usr/bin/env python3
"""Holds files to 600 lines and functions to 80 (the aim is 60), C++ by matching braces and Python by its own parser.

Prints one line per offender; the exit code is 1 if there is any. `--statistics` prints medians instead.
"""

import ast
import re
import sys
from pathlib import Path

from check_layers import ALLOWED

ROOT = Path(__file__).resolve().parents[1]
MAX_FILE, MAX_FUNCTION = 600, 80
PLACES = [*ALLOWED] + ["tests", "tools", "bench", "examples"]

TOKENS = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^(\s]{0,16})\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL
)
NOT_FUNCTION = re.compile(r"\b(namespace|class|struct|enum|union|extern)\b[^()]*$")
HEAD = re.compile(r"\)\s*(const|noexcept|override|final|mutable|&&?|->\s*[\w:<>,\s*&]+|:\s.*)*\s*$", re.DOTALL)


def blank(match: re.Match) -> str:
    return re.sub(r"[^\n]", " ", match.group(0))


def cpp_functions(text: str) -> list[tuple[int, int]]:
    """(line, length) of every outermost function body: a brace after `)` that stands in namespace or class scope."""
    text = re.sub(r"(?<=\d)'(?=\d)", " ", text)
    text = TOKENS.sub(blank, text)
    text = re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", blank, text, flags=re.MULTILINE)
    functions, depth, inside, start, last = [], 0, None, 0, 0
    for match in re.finditer(r"[{};]", text):
        at, character = match.start(), match.group()
        if character == "{":
            head = text[last:at]
            if inside is None and HEAD.search(head) and not NOT_FUNCTION.search(head):
                inside, start = depth, last + len(head) - len(head.lstrip())
            depth += 1
        elif character == "}":
            depth -= 1
            if inside is not None and depth == inside:
                first = text.count("\n", 0, start) + 1
                functions.append((first, text.count("\n", 0, at) + 2 - first))
                inside = None
        last = match.end()
    return functions


def python_functions(text: str) -> list[tuple[int, int]]:
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return [(node.lineno, node.end_lineno - node.lineno + 1) for node in nodes if node.end_lineno]


def sources() -> list[Path]:
    found = [ROOT / "dev"]
    for place in PLACES:
        for path in sorted((ROOT / place).rglob("*")):
            if path.suffix in {".cpp", ".h", ".def", ".sh"} or (path.suffix == ".py" and place != "tests"):
                found.append(path)
    return [path for path in found if path.is_file()]


def functions_of(path: Path, text: str) -> list[tuple[int, int]]:
    if path.suffix == ".py":
        return python_functions(text)
    return cpp_functions(text) if path.suffix in {".cpp", ".h"} else []


def median(values: list[int]) -> int:
    return sorted(values)[len(values) // 2] if values else 0


def main() -> int:
    offenders, file_sizes, function_sizes = [], [], []
    for path in sources():
        text = path.read_text(encoding="utf-8")
        name, lines = path.relative_to(ROOT).as_posix(), text.count("\n") + 1
        file_sizes.append(lines)
        if lines > MAX_FILE:
            offenders.append(f"{name}: {lines} lines (at most {MAX_FILE})")
        for line, length in functions_of(path, text):
            function_sizes.append(length)
            if length > MAX_FUNCTION:
                offenders.append(f"{name}:{line}: a function of {length} lines (at most {MAX_FUNCTION})")
    if "--statistics" in sys.argv:
        over = sum(size > 60 for size in function_sizes)
        print(f"files {len(file_sizes)}: median {median(file_sizes)}, longest {max(file_sizes)} lines")
        print(f"functions {len(function_sizes)}: median {median(function_sizes)}, longest {max(function_sizes)}, over 60: {over}")
        return 0
    for line in offenders:
        print(line)
    print(f"sizes: {len(file_sizes)} files, {len(function_sizes)} functions, {len(offenders)} too long")
    return 1 if offenders else 0


if __name__ == "__main__":
    sys.exit(main())
