"""Kernel files that say in their first lines how they are run: `# args: run {file}::NAME --grid G NAME=VALUE ...`.

Such a line is the words of `lockstep run`, with {file} and {folder} for the file and its folder. Each becomes a case of the
source `kernel` at every point of the axes. The line's options for the launch apply unless an axis sets
them; the campaign decides on checks, tolerances and outputs."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from lockstep.campaign.sources import kernel
from lockstep.campaign.sources.chosen import SHARE, fraction
from lockstep.campaign.tables import Key
from lockstep.option_rows import ROWS

if TYPE_CHECKING:
    from lockstep.campaign.plan import Entry

KEYS = {
    "path": Key((str,), "a folder of kernel files", is_required=True),
    "select": Key((str,), "a regular expression that must match a part of a file's name"),
    "leave_out": Key((list,), "a list of regular expressions; files with a match in their names do not run"),
    "share": SHARE,
}
REFERENCES = kernel.REFERENCES

_LINE = re.compile(r"^# args: run (.*)$", re.MULTILINE)
_FIRST_LINES = 2000  # characters
_KEPT = {row.flag: row for row in ROWS if row.of_command and row.campaign == "option" and row.name != "schedules"}
_PASSED_OVER = ("--expect", "--print", "--save", "--schedules", *(row.flag for row in ROWS if row.campaign in ("axis", "campaign")))


def points(entry: Entry) -> Iterator[dict[str, Any]]:
    """Every file with a runnable line, times the axes."""
    values, root = entry.values, str(entry.plan.root)
    try:
        select, leave_out = re.compile(values.get("select", "")), [re.compile(one) for one in values.get("leave_out", [])]
    except re.error as error:
        entry.wrong("select", f"no regular expression: {error}")
    found = []
    for folder, _, names in os.walk(os.path.join(root, values["path"])):
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names if name.endswith(".py")]
    known = {file: told for file in sorted(found)
             if select.search(file) and not any(one.search(file) for one in leave_out)
             and fraction(file) < values.get("share", 1.0) and (told := _told(root, file)) is not None}  # fmt: skip
    if not known:
        entry.wrong("path", f"no file in {values['path']} begins with `# args: run {{file}}::NAME --grid ...`")
    for point in entry.points({"file": list(known)}):
        yield {**known[point["file"]]["options"], **point, "told": known[point["file"]]["source"]}


def source(entry: Entry, point: dict[str, Any]) -> dict[str, Any]:
    """A case of the source `kernel`."""
    del point["file"]
    return {"kind": "kernel", **point.pop("told")}


def _told(root: str, file: str) -> Mapping[str, Any] | None:
    """{"source", "options"} of the file's line; None without a line, or with one that a campaign does not run."""
    with open(os.path.join(root, file), encoding="utf-8") as opened:
        match = _LINE.search(opened.read(_FIRST_LINES))
    if match is None:
        return None
    words = shlex.split(match[1].replace("{file}", file).replace("{folder}", os.path.dirname(file)))
    return _parsed(words)


def _parsed(words: list[str]) -> Mapping[str, Any] | None:
    arguments: dict[str, str] = {}
    options: dict[str, Any] = {}
    target = grid = ""
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in ("--grid", "-g"):
            grid = rest.pop(0)
        elif word in _KEPT:
            row, value = _KEPT[word], rest.pop(0)
            options[row.name] = int(value) if row.is_number else value
        elif word == "--seed":
            options["seed"] = int(rest.pop(0))
        elif word in _PASSED_OVER:
            rest.pop(0)
        elif word.startswith("-"):
            return None
        elif not target:
            target = word
        else:
            name, _, text = word.partition("=")
            arguments[name] = text
    file, _, name = target.partition("::")
    if not (name and grid):
        return None
    return {"source": {"file": file, "kernel": name, "grid": grid, "arguments": arguments}, "options": options}
