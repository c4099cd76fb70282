"""The parameters of a module's public function, read from its text."""

from __future__ import annotations

import re
from dataclasses import dataclass

PUBLIC = re.compile(r"tt\.func\s+public\s+@(\"[^\"]*\"|[\w.$-]+)\s*\(")


@dataclass(frozen=True)
class Parameter:
    name: str  # without %
    type: str

    def is_pointer(self) -> bool:
        return self.type.startswith("!tt.ptr<")

    def pointee(self) -> str:
        """The element type of a pointer: "f32" of "!tt.ptr<f32, 1>"."""
        return self.type[len("!tt.ptr<") :].rstrip(">").split(",")[0].strip()


def split_outside_brackets(text: str) -> list[str]:
    """Splits at commas that stand in no bracket or string."""
    parts, depth, begin, in_string = [], 0, 0, False
    for i, letter in enumerate(text):
        if letter == '"':
            in_string = not in_string
        elif in_string:
            continue
        elif letter in "<({[":
            depth += 1
        elif letter in ">)}]":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[begin:i])
            begin = i + 1
    parts.append(text[begin:])
    return [part.strip() for part in parts if part.strip()]


def strip_attributes(text: str) -> str:
    """`!tt.ptr<f32> {tt.divisibility = 16 : i32} loc(..)` -> `!tt.ptr<f32>`."""
    depth = 0
    for i, letter in enumerate(text):
        if letter == "<":
            depth += 1
        elif letter == ">":
            depth -= 1
        elif depth == 0 and letter in "{ ":
            return text[:i].strip()
    return text.strip()


def parameters(ttir: str) -> list[Parameter]:
    """Name and type of each parameter of the only public function."""
    found = PUBLIC.search(ttir)
    assert found, "the text has no public tt.func"
    begin, depth, end = found.end(), 1, found.end()
    while depth:
        depth += {"(": 1, ")": -1}.get(ttir[end], 0)
        end += 1
    result = []
    for part in split_outside_brackets(ttir[begin : end - 1]):
        name, _, kind = part.partition(":")
        result.append(Parameter(name.strip().lstrip("%"), strip_attributes(kind.strip())))
    return result
