"""The command that makes a recorded launch again, and exceptions that end with it. Needs nothing of Lockstep's engine."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from typing import Any

#: Options of the process that change what a launch does or is looked for, with the flag and what the command takes by default.
_FLAGS = (("check", "--check", "default"), ("bounds", "--bounds", "storage"), ("memory_model", "--memory-model", "tile"),
          ("lane_order", "--lane-order", "forward"), ("resident", "--resident", 0))  # fmt: skip


#: Codes of what the debugger stops at by itself; for others it asks checkers first.
_FAULTS = ("LS101", "LS102", "LS103", "LS104", "LS106", "LS107", "LS108", "LS109", "LS12", "LS90")


def command(path: str, options: Any = None, findings: Sequence[Any] = ()) -> str:
    """What a shell takes in this folder: `lockstep debug X.capsule`. options: Lockstep's at the launch, findings: those that count
    of it; None: a GPU made it."""
    words = ["lockstep", "debug", min(os.path.relpath(path), os.path.abspath(path), key=len)]
    if options is not None:
        for name, flag, usual in _FLAGS:
            if getattr(options, name) != usual:
                words += [flag, str(getattr(options, name))]
        words += _schedules(options) + _triton(options)
    if findings and not any(one.code.startswith(_FAULTS) for one in findings):
        error = any(one.tier == "error" for one in findings)
        words += ["--command", "catch error" if error else f"catch {findings[0].code}"]
    return shlex.join(words)


def _schedules(options: Any) -> list[str]:
    seed = ["--schedule-seed", str(options.schedule_seed)] if options.schedule_seed else []
    if options.schedule is not None:
        return ["--schedule", str(options.schedule), *seed]
    return ["--schedules", str(options.schedules), *seed] if options.schedules != 1 else []


def _triton(options: Any) -> list[str]:
    from lockstep import settings

    version = options.triton or settings.installed_triton()
    return ["--triton", version] if version != settings.DEFAULT_TRITON else []


def add_to(error: BaseException, path: str, options: Any = None) -> None:
    """The exception's text ends with the command from now on; a note where it has no text of its own to add to."""
    findings = [one for one in getattr(error, "findings", ()) if one.tier == "error"]
    line = f"replay: {command(path, options, findings)}"
    if error.args and isinstance(error.args[0], str) and str(error) == error.args[0]:
        error.args = (f"{error.args[0]}\n{line}", *error.args[1:])
    elif hasattr(error, "add_note"):
        error.add_note(line)
