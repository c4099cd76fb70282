"""The model's line that an FX node comes from: of the stack trace that Dynamo keeps, the innermost frame outside torch."""

from __future__ import annotations

import linecache
import os
import re
import sysconfig
from dataclasses import dataclass
from typing import Any

_FRAME = re.compile(r'^\s*File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>\S+))?\n?(?P<code>[^\n]*)', re.MULTILINE)
_PACKAGES = tuple({sysconfig.get_paths()[name] for name in ("purelib", "platlib")})


@dataclass(frozen=True)
class Place:
    """A line of Python. `code` is its text when the graph was traced."""

    file: str
    line: int  # from 1
    function: str
    code: str

    def now(self) -> Place:
        """The place in the file as it is now: a cached graph may be older than the file."""
        lines = linecache.getlines(self.file)
        if not self.code or (0 < self.line <= len(lines) and lines[self.line - 1].strip() == self.code):
            return self
        same = [number for number, text in enumerate(lines, 1) if text.strip() == self.code]
        return Place(self.file, same[0], self.function, self.code) if len(same) == 1 else self

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f" ({self.function})" if self.function else "")


_OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")


def _is_torchs(file: str) -> bool:
    """Whether a file belongs to torch or to Lockstep, which acts for it: a model has no line there."""
    return file.startswith((*(os.path.join(folder, "torch", "") for folder in _PACKAGES), _OURS)) or "site-packages/torch/" in file


def package_folder(file: str) -> str:
    """The folder of the installed package that a file belongs to; "" for other files."""
    for folder in _PACKAGES:
        if file.startswith(os.path.join(folder, "")):
            return os.path.join(folder, file[len(folder) + 1 :].partition(os.sep)[0], "")
    before, found, after = file.rpartition("/site-packages/")
    return f"{before}{found}{after.partition('/')[0]}/" if found else ""


def place_of_trace(trace: str | None, without: str = "") -> Place | None:
    """The innermost frame outside torch, and outside the folder `without`, of a node's stack trace; None without one."""
    frames = [Place(one["file"], int(one["line"]), one["function"] or "", one["code"].strip()) for one in _FRAME.finditer(trace or "")]
    outside = [one for one in frames if not _is_torchs(one.file)]
    beyond = [one for one in outside if not without or not one.file.startswith(without)]
    return (beyond or outside or frames or [None])[-1]


def module_of(meta: dict[str, Any]) -> str:
    """The path of the nn.Module that a node belongs to: "layers.0.norm"; "" without one."""
    stack = meta.get("nn_module_stack") or meta.get("fwd_nn_module_stack") or {}
    if not stack:
        return ""
    path = list(stack.values())[-1][0]
    path = re.sub(r"L\['self'\]\.?|L__self___?|_modules", "", str(path))
    return re.sub(r"\['?([^'\]]+)'?\]", r".\1", path).replace("..", ".").strip(".")
