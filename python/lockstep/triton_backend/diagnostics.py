"""Compile errors of the engine, moved from the TTIR text that it read to the Python line that the text came from.

Invariant: nothing is lost: where the text carries no Python place, the diagnostic stays as the engine made it."""

from __future__ import annotations

import linecache
import re
from typing import Any

from lockstep import errors
from lockstep.snapshot import DiagnosticCopy, copy_diagnostic

_FROM = re.compile(r"^note: from (.+):(\d+):(\d+)$", re.MULTILINE)


def named(error: Any, kernel: str) -> errors.CompileError:
    """Turns the engine's CompileError into Lockstep's, naming the kernel, its Python file and line."""
    moved = [in_python(one) for one in error.diagnostics]
    kind = errors.UnsupportedError if error.is_unsupported else errors.CompileError
    texts = "\n".join(one.text.rstrip("\n") for one in moved) if moved else str(error)
    return kind(f"kernel {kernel} cannot be run by Lockstep\n{texts}", moved)


def in_python(diagnostic: Any) -> DiagnosticCopy:
    """A copy of the diagnostic with the place and text of the Python source."""
    copy = copy_diagnostic(diagnostic)
    place = _FROM.search(copy.text)
    if place is None:
        return copy
    file, line, column = place[1], int(place[2]), int(place[3])
    code = f" [{copy.code}]" if copy.code else ""
    lines = [f"{file}:{line}:{column}: {copy.severity}: {copy.message}{code}"]
    source = linecache.getline(file, line).rstrip("\n")
    if source:
        lines += [f"  {line} | {source.expandtabs(1)}", f"  {' ' * len(str(line))} | {' ' * (column - 1)}^"]
    lines += [text for text in copy.text.splitlines()[1:] if text.startswith(("note: ", "hint: ")) and text != place[0]]
    return DiagnosticCopy(copy.code, copy.severity, copy.message, file, line, column, "\n".join(lines))
