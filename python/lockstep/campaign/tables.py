"""The tables of a TOML: their keys, the keys' types, and the line of each key."""

from __future__ import annotations

import contextlib
import difflib
import importlib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lockstep.campaign.problems import Missing, PlanError


@dataclass(frozen=True)
class Key:
    """A key that a table may have."""

    types: tuple[type, ...]
    what: str  # what it must be, in words
    is_required: bool = False

    def takes(self, value: Any) -> bool:
        return isinstance(value, self.types) and (not isinstance(value, bool) or bool in self.types)


TEXT = Key((str,), "a text")
COUNT = Key((int,), "a whole number")
ANY_NUMBER = Key((int, float), "a number")
QUANTITY = Key((str, int, float), 'a number or a text like "10min"')
TABLE = Key((dict,), "a table")


@dataclass(frozen=True)
class Document:
    """A TOML's text. A table's name is dotted; one of an array has its number: "limits", "run.2.axes"."""

    path: Path
    text: str

    def tables(self) -> dict[str, Any]:
        """Raises PlanError for a text that is not TOML."""
        reader = _reader()
        try:
            return dict(reader.loads(self.text))
        except reader.TOMLDecodeError as error:
            place = re.search(r"line (\d+)", str(error))
            line = int(place[1]) if place else 0
            ends = self.text.splitlines()[line - 1].rstrip().endswith(("{", ",")) if 0 < line <= self.text.count("\n") else False
            hint = "`name = { ... }` must be on one line; over several it is a table: [run.name]" if ends else ""
            raise PlanError(str(error), file=str(self.path), line=line, hint=hint) from None

    def check(self, table: str, given: Any, keys: Mapping[str, Key]) -> None:
        """Raises PlanError unless every key is known, of its type, and present where required."""
        if not isinstance(given, dict):
            raise self.wrong("", table, f"`{table}` is a table: [{table}]")
        for name, value in given.items():
            if name not in keys:
                raise self.unknown(table, name, tuple(keys))
            if not keys[name].takes(value):
                raise self.wrong(table, name, f"`{name}` is {keys[name].what}, not {value!r}")
        for name, key in keys.items():
            if key.is_required and name not in given:
                raise self.wrong(table, "", f"`{name}` is missing: {key.what}")

    def unknown(self, table: str, name: str, known: tuple[str, ...]) -> PlanError:
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean `{close[0]}`?" if close else f"there are {', '.join(known)}"
        return self.wrong(table, name, f"there is no key `{name}` here", hint)

    def wrong(self, table: str, key: str, message: str, hint: str = "") -> PlanError:
        """The error of a key of a table; of the table itself without a key."""
        return PlanError(message, file=str(self.path), line=self.line_of(table, key), hint=hint)

    def line_of(self, table: str, key: str = "") -> int:
        """Falls back to the table's line, then to that of its parent table; 0 without any."""
        wanted, number = _unnumbered(table)
        here, seen, found = "", Counter[str](), 0
        for line_number, line in enumerate(self.text.splitlines(), 1):
            header = re.match(r"\s*(\[{1,2})\s*([\w.\-]+)\s*\]", line)
            if header is not None:
                here = header[2]
                seen[here] += header[1] == "[["
            is_this = number is None or seen[wanted.partition(".")[0]] == number + 1
            if not is_this:
                continue
            if here == wanted and header is not None and not found:
                found = line_number
            said = here == wanted and header is None and re.match(rf'\s*["\']?{re.escape(key)}["\']?\s*[=.]', line)
            if key and (said or (header is not None and here == f"{wanted}.{key}".strip("."))):
                return line_number
        holder, _, name = table.rpartition(".")
        return found or (self.line_of(holder, "" if name.isdigit() else name) if holder else 0)


def _unnumbered(table: str) -> tuple[str, int | None]:
    """"run.2.axes" is ("run.axes", 2)."""
    parts = table.split(".")
    number = int(parts.pop(1)) if len(parts) > 1 and parts[1].isdigit() else None
    return ".".join(parts), number


def _reader() -> Any:
    for name in ("tomllib", "tomli"):  # the second for Python 3.10
        with contextlib.suppress(ModuleNotFoundError):
            return importlib.import_module(name)
    raise Missing("campaigns need Python 3.11, or `pip install tomli` for 3.10")
