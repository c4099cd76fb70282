"""The command that repeats a recorded launch, and exceptions that end with it. Needs nothing of Lockstep's engine."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from typing import Any

from lockstep.option_rows import ROWS, Row

# : Options of the process that change a launch or its checks.
_ROWS = [row for row in ROWS if row.is_setting and row.group in ("checkers", "schedules", "bounds")]
# : Codes at which the debugger stops by itself; for others it asks checkers first.
_FAULTS = ("LS101", "LS102", "LS103", "LS104", "LS106", "LS107", "LS108", "LS109", "LS12", "LS90")


def command(path: str, options: Any = None, findings: Sequence[Any] = ()) -> str:
    """What a shell takes in this folder: `lockstep debug X.capsule`. options: Lockstep's at the launch, findings: those that count
    of it; None: a GPU made it."""
    words = ["lockstep", "debug", min(os.path.relpath(path), os.path.abspath(path), key=len)]
    if options is not None:
        for row in _ROWS:
            if row.name not in ("triton", "schedules", "schedule") and row.campaign != "axis":
                words += _words(row, options)
        words += _schedules(options) + _triton(options)
    if findings and not any(one.code.startswith(_FAULTS) for one in findings):
        error = any(one.tier == "error" for one in findings)
        words += ["--command", "catch error" if error else f"catch {findings[0].code}"]
    return shlex.join(words)


def _words(row: Row, options: Any) -> list[str]:
    """The row's flag and value, where the value is not the default."""
    value = getattr(options, row.name)
    return [] if value == row.initial else [row.flag, str(value)]


def _schedules(options: Any) -> list[str]:
    """`--schedule K` or `--schedules N`, with the seed of their orders."""
    orders = {row.name: _words(row, options) for row in _ROWS if row.campaign == "axis" or row.name == "schedules"}
    one, many = orders.pop("schedule"), orders.pop("schedules")
    return [*(one or many), *(word for words in orders.values() for word in words)] if one or many else []


def _triton(options: Any) -> list[str]:
    from lockstep import settings

    version = options.triton or settings.installed_triton()
    return ["--triton", version] if version != settings.DEFAULT_TRITON else []


def add_to(error: BaseException, path: str, options: Any = None) -> None:
    """The exception's text ends with the command from now on; a note if it has no text of its own."""
    findings = [one for one in getattr(error, "findings", ()) if one.tier == "error"]
    line = f"replay: {command(path, options, findings)}"
    if error.args and isinstance(error.args[0], str) and str(error) == error.args[0]:
        error.args = (f"{error.args[0]}\n{line}", *error.args[1:])
    elif hasattr(error, "add_note"):
        error.add_note(line)
