"""Which lines, branch outcomes and mask outcomes of kernels cases have shown: as text in results, as sets in reports.

Invariant: sets only. The text of a case depends on nothing but the case and the code; the union over cases does not depend on
their order. In a result, by kernel: {"launches": 2, "files": {FILE: {"run": "3-5,8", "not_run": "6", "branches": {"5:8": "if 10"},
"masks": {"7:12": "load 11"}}}}: places are LINE:COLUMN, the digits are the two sides (docs/campaigns.md)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lockstep._native import LaunchReport

Place = tuple[int, int, str]  # line, column, what stands there: "if", "for", "while"; "load", "store", "atomic"
Sides = tuple[bool, bool]


@dataclass
class FileCoverage:
    """The coverage of one kernel in one file."""

    lines: dict[int, bool] = field(default_factory=dict)  # those that have been compiled -> one of their ops ran
    branches: dict[Place, Sides] = field(default_factory=dict)  # taken, not taken
    masks: dict[Place, Sides] = field(default_factory=dict)  # some lane was on, some was off

    def add_line(self, line: int, ran: bool) -> None:
        self.lines[line] = self.lines.get(line, False) or ran

    def add(self, other: FileCoverage) -> None:
        for line, ran in other.lines.items():
            self.add_line(line, ran)
        for mine, theirs in ((self.branches, other.branches), (self.masks, other.masks)):
            for place, (first, second) in theirs.items():
                known = mine.get(place, (False, False))
                mine[place] = (known[0] or first, known[1] or second)


@dataclass(frozen=True)
class Share:
    """n of m."""

    seen: int = 0
    all: int = 0

    @property
    def missing(self) -> int:
        return self.all - self.seen


def shares(files: Iterable[FileCoverage]) -> dict[str, Share]:
    """How many of its lines, branch outcomes and mask outcomes were exercised."""
    seen, every = {"lines": 0, "branches": 0, "masks": 0}, {"lines": 0, "branches": 0, "masks": 0}
    for one in files:
        seen["lines"] += sum(one.lines.values())
        every["lines"] += len(one.lines)
        for name, sides in (("branches", one.branches), ("masks", one.masks)):
            seen[name] += sum(map(sum, sides.values()))
            every[name] += 2 * len(sides)
    return {name: Share(seen[name], every[name]) for name in seen}


# ---- as a result has it ----


def of_reports(seen: Iterable[LaunchReport], relative: Callable[[str], str]) -> dict[str, dict[str, Any]]:
    """By kernel, of all observed launches. `relative`: maps a file to its name in results."""
    kernels: dict[str, dict[str, FileCoverage]] = {}
    for report in seen:
        files = kernels.setdefault(report.kernel, {})
        for file, one in (report.coverage or {}).items():
            files.setdefault(relative(file), FileCoverage()).add(_of_native(one))
    return {kernel: {"files": {file: packed(files[file]) for file in sorted(files)}} for kernel, files in sorted(kernels.items()) if files}


def _of_native(one: Mapping[str, Mapping[Any, Any]]) -> FileCoverage:
    def sides(name: str) -> dict[Place, Sides]:
        return {(line, column, kind): (first, second) for (line, column), (kind, first, second) in one[name].items()}

    return FileCoverage(dict(one["lines"]), sides("branches"), sides("masks"))


def packed(one: FileCoverage) -> dict[str, Any]:
    texts = {"run": spans(line for line, ran in one.lines.items() if ran), "not_run": spans(line for line, ran in one.lines.items() if not ran)}
    sides = {name: {f"{line}:{column}": f"{kind} {first:d}{second:d}" for (line, column, kind), (first, second) in sorted(known.items())}
             for name, known in (("branches", one.branches), ("masks", one.masks))}  # fmt: skip
    return {name: value for name, value in {**texts, **sides}.items() if value}


def unpacked(given: Mapping[str, Any]) -> FileCoverage:
    made = FileCoverage()
    for name, ran in (("not_run", False), ("run", True)):
        for line in numbers(given.get(name, "")):
            made.add_line(line, ran)
    for name, sides in (("branches", made.branches), ("masks", made.masks)):
        for place, what in given.get(name, {}).items():
            line, _, column = place.partition(":")
            kind, _, digits = what.partition(" ")
            sides[int(line), int(column), kind] = (digits[:1] == "1", digits[1:] == "1")
    return made


def spans(lines: Iterable[int]) -> str:
    """Numbers as "3-5,8"."""
    parts = []
    for _, group in itertools.groupby(enumerate(sorted(lines)), lambda one: one[1] - one[0]):
        run = [line for _, line in group]
        parts.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}")
    return ",".join(parts)


def numbers(text: str) -> Iterator[int]:
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)
