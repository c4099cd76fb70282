"""The contents of a campaign's report, from its state file: no times of day, no names of machines.

Invariant: a case counts for every kernel that it launched (its `coverage`), or for the one that its source names; what went
wrong counts for the kernels that findings name, and for all of the case's where nothing names one."""

from __future__ import annotations

import json
import linecache
import os
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from lockstep.campaign.code_coverage import FileCoverage, Share, shares, unpacked
from lockstep.campaign.report.missing import Listing, listings, path_of
from lockstep.campaign.report.moved import Farther, Left, farther, left_by, other_bytes
from lockstep.option_rows import ROWS

if TYPE_CHECKING:
    from lockstep.campaign.known import Known
    from lockstep.campaign.state import State

#: Verdicts of cases that ran and were judged. The others say that a case could not be judged.
JUDGED = ("pass", "finding", "mismatch", "crash", "timeout", "memory")
FAILED = ("finding", "mismatch", "crash", "timeout", "memory")
_SLOWEST = 20
_MOST_REFUSALS = 30
_TIERS = ("info", "warning", "error")
_MOST_VALUES = 16  # of an axis that the map tells apart
_AROUND = 2  # lines of source before and after a finding
_NUMBER = re.compile(r"[-+]?\b(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|inf|nan)\b")


@dataclass
class Cell:
    """Cases of one kernel at one value of an axis."""

    cases: int = 0
    failed: int = 0


@dataclass
class Kernel:
    """A row of the map."""

    name: str
    cases: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    cells: dict[tuple[str, str], Cell] = field(default_factory=lambda: defaultdict(Cell))
    files: dict[str, FileCoverage] = field(default_factory=dict)  # of all its cases together
    missing: list[Listing] = field(default_factory=list)  # what none of them showed
    distances: list[float] = field(default_factory=list)  # of cases from the reference, as a share of what is allowed, or in ULP
    positions: list[int] = field(default_factory=list)  # how many elements lie where within what is allowed, by equal parts


@dataclass
class Trouble:
    """Cases that failed in the same way."""

    verdict: str
    what: str  # the finding's message, or the case's
    code: str = ""
    tier: str = ""
    kernel: str = ""
    file: str = ""
    line: int = 0
    cases: list[str] = field(default_factory=list)  # ids, sorted
    variations: list[str] = field(default_factory=list)  # of the first few
    source: list[tuple[int, str]] = field(default_factory=list)
    known: str = ""  # why, where it is
    related: list[tuple[str, str, int]] = field(default_factory=list)  # message, file, line: of the model that a compiled kernel is from

    @property
    def key(self) -> tuple[str, ...]:
        """The key that makes two campaigns' troubles the same: without the line, which moves with every commit."""
        return (self.verdict, self.code, self.kernel, os.path.basename(self.file), alike(self.verdict, self.what) if not self.code else "")


@dataclass(frozen=True)
class Refusal:
    """Cases that could not be judged, all for one reason."""

    why: str
    cases: int
    is_known: bool


@dataclass
class Changes:
    """Against an earlier campaign."""

    new: list[Trouble]
    gone: list[Trouble]
    cases_before: int
    verdicts_before: dict[str, int]
    turned_bad: list[str]  # ids of cases that passed before
    turned_good: int
    farther: list[Farther]
    other_bytes: list[tuple[str, int]]  # kernels, and how many of their cases
    shown_before: dict[str, Share]


@dataclass
class Report:
    name: str
    version: str
    cases: int
    done: int
    seconds: float  # of all cases together
    verdicts: dict[str, int]
    kernels: dict[str, Kernel]
    axes: dict[str, list[str]]  # the values of each, as the map has them
    troubles: list[Trouble]
    refused: list[Refusal]
    slowest: list[tuple[float, str, str]]  # seconds, id, what
    results: dict[str, str]  # id -> verdict
    old: dict[str, int]  # verdict -> results of code that has changed since; they count for nothing here
    distances_of: str = ""  # what the distances are
    changes: Changes | None = None
    known: list[Trouble] = field(default_factory=list)  # as `troubles`, which are the others
    left: dict[str, Left] = field(default_factory=dict)  # by the cases' ids

    @property
    def old_text(self) -> str:
        """The sentence about them; "" where there are none."""
        count = sum(self.old.values())
        verdicts = ", ".join(f"{number:,} {verdict}" for verdict, number in sorted(self.old.items()))
        return f"{count:,} result{'' if count == 1 else 's'} of older code ({verdicts}): not counted here until they run again" if count else ""

    @property
    def shown(self) -> dict[str, Share]:
        """The coverage of all kernels together, over all cases."""
        return shares(one for kernel in self.kernels.values() for one in kernel.files.values())


def gather(state: State, root: str = "", before: State | None = None, known: Known | None = None) -> Report:
    """root: the folder of the findings' files, for their source. known: failures with a written reason."""
    made = _gathered(state, known)
    for trouble in made.troubles:
        trouble.source = excerpt(trouble.file, trouble.line, root)
    for kernel in made.kernels.values():
        kernel.missing = listings(kernel.files, root)
    if before is not None:
        made.changes = _changes(made, _gathered(before, None))
    return made


def _gathered(state: State, known: Known | None) -> Report:
    """What the results show, without reading sources."""
    made = Report(
        name=state.value("name") or "campaign", version=state.value("version_of") or "", cases=state.count("cases"),
        done=state.done(), seconds=0.0, verdicts=state.verdicts(), kernels={}, axes={}, troubles=[],
        refused=[], slowest=[], results={}, old=state.old_verdicts(),
    )  # fmt: skip
    troubles: dict[tuple[Any, ...], Trouble] = {}
    refused: Counter[tuple[str, bool]] = Counter()
    values: dict[str, Counter[str]] = defaultdict(Counter)
    rows: list[tuple[float, str, str]] = []
    for case_text, result_text, seconds in state.results():
        case, result = json.loads(case_text), json.loads(result_text)
        verdict = result["verdict"]
        made.results[result["id"]] = verdict
        made.seconds += seconds
        rows.append((seconds, result["id"], title_of(case)))
        if verdict not in JUDGED:
            if verdict == "refused":
                reason = known.reason(case, result, failures(case, result)[0]) if known else ""
                refused[reason or short(result.get("message", "")), bool(reason)] += 1
            else:
                _add_trouble(troubles, case, result, known)
            continue
        axes = variation_of(case)
        for axis, value in axes.items():
            values[axis][value] += 1
        _count(made, case, result, axes)
        if verdict in FAILED:
            _add_trouble(troubles, case, result, known)
    made.axes = {axis: sorted(counted, key=_order) for axis, counted in sorted(values.items())
                 if len(counted) <= _MOST_VALUES}  # fmt: skip
    every = sorted(troubles.values(), key=lambda one: (-len(one.cases), one.key))
    made.troubles, made.known = [one for one in every if not one.known], [one for one in every if one.known]
    made.refused = [Refusal(why, count, is_known) for (why, is_known), count in refused.most_common(_MOST_REFUSALS)]
    made.slowest = sorted(rows, key=lambda one: (-one[0], one[1]))[:_SLOWEST]
    return made


def _order(value: str) -> tuple[int, float, str]:
    try:
        return (0, float(value), value)
    except ValueError:
        return (1, 0.0, value)


def short(text: str) -> str:
    line = text.strip().splitlines()[0] if text.strip() else "no reason was given"
    return line if len(line) <= 200 else line[:197] + "..."


# ---- one case ----


def kernels_of(case: Mapping[str, Any], result: Mapping[str, Any]) -> list[str]:
    """The kernels that a case launched."""
    if result.get("coverage"):
        return sorted(result["coverage"])
    source = case["source"]
    if source["kind"] == "capsule":
        stem = os.path.basename(source["path"]).removesuffix(".capsule")
        return [stem.partition("-")[2] or stem]
    return [str(source[key]) for key in ("kernel", "function", "test", "model") if key in source][:1] or [source["kind"]]


def title_of(case: Mapping[str, Any]) -> str:
    """A case's name for people: its source, then what it varies."""
    source = case["source"]
    name = next((str(source[key]) for key in ("kernel", "function", "test", "model", "path", "seed") if key in source), "")
    parts = [f"{axis} {value}" for axis, value in variation_of(case, plain=True).items()]
    return name + (f" ({', '.join(parts)})" if parts else "")


def variation_of(case: Mapping[str, Any], *, plain: bool = False) -> dict[str, str]:
    """Axis -> value, as texts; sizes by their kind, unless `plain`."""
    found: dict[str, str] = {}
    for axis, value in case["vary"].items():
        found[axis] = _text(value) if plain or not isinstance(value, Mapping) else _kind(value)
    if case["schedule"]["number"]:
        found["schedule"] = str(case["schedule"]["number"])
    for option in (row.name for row in ROWS if row.campaign == "option" and row.name not in ("bounds", "resident")):
        if option in case["options"]:
            found[option] = _text(case["options"][option])
    return found


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} → {other}" for name, other in sorted(value.items()))
    return str(value)


def _kind(sizes: Mapping[str, Any]) -> str:
    numbers = [value for value in sizes.values() if isinstance(value, int)]
    if len(numbers) != len(sizes) or not numbers:
        return _text(sizes)
    if all(number % 2 for number in numbers):
        return "odd"
    return "of 16" if all(number % 16 == 0 for number in numbers) else "even"


def _count(made: Report, case: Mapping[str, Any], result: Mapping[str, Any], axes: Mapping[str, str]) -> None:
    verdict = result["verdict"]
    blamed = {one["kernel"] for one in result["findings"] if one["tier"] == "error"} if verdict == "finding" else set()
    distance, made.distances_of = distance_of(result, made.distances_of)
    names = kernels_of(case, result)
    made.left[result["id"]] = left_by(result, names, distance, made.distances_of)
    for name in names:
        kernel = made.kernels.setdefault(name, Kernel(name))
        is_bad = verdict in FAILED and (not blamed or name in blamed)
        kernel.cases += 1
        kernel.verdicts[verdict if is_bad else "pass"] += 1
        for axis, value in (axes or {"": "as it is"}).items():
            cell = kernel.cells[axis, value]
            cell.cases += 1
            cell.failed += is_bad
        if distance is not None:
            kernel.distances.append(distance)
        for one in (result.get("error") or {}).values():
            kernel.positions = [a + b for a, b in zip_longest(kernel.positions, one.get("histogram", ()), fillvalue=0)]
        for file, given in (result.get("coverage") or {}).get(name, {}).get("files", {}).items():
            kernel.files.setdefault(file, FileCoverage()).add(unpacked(given))


def distance_of(result: Mapping[str, Any], known: str) -> tuple[float | None, str]:
    """The largest distance from the reference over the case's outputs, and what it is measured in; None where none is measured
    or no element has room."""
    found = [one for one in (result.get("error") or {}).values() if isinstance(one, Mapping)]
    shares = [float(one["of_allowed"]) for one in found if "of_allowed" in one]
    shares += [float("inf") for one in found if "of_allowed" not in one and one.get("outside")]
    if shares or any("outside" in one for one in found):
        return (max(shares), "share of the tolerance") if shares else (None, known)
    for key, what in (("max_ulp", "ULP"), ("max_abs", "absolute")):
        numbers = [float(one[key]) for one in found if key in one]  # "inf", too
        if numbers and known in ("", what):
            return max(numbers), what
    return None, known


def failures(case: Mapping[str, Any], result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The failures of a case that did not pass: its findings that count, or one without a code that describes the rest."""
    verdict, least = result["verdict"], _TIERS.index(case["options"].get("fail_on", "error"))
    found = [dict(one) for one in result["findings"] if _TIERS.index(one["tier"]) >= least]
    if verdict == "finding" and found:
        return found
    kernels = ", ".join(kernels_of(case, result)[:3])
    place = {"kernel": kernels, "file": "", "line": 0} | result.get("facts", {}).get("mismatch at", {})
    return [{"code": "", "tier": "error", **place, "message": short(result.get("message", ""))}]


def alike(verdict: str, message: str) -> str:
    """The part of a message that tells failures apart: a mismatch without its numbers."""
    return _NUMBER.sub("#", message) if verdict == "mismatch" else message


def _add_trouble(troubles: dict[tuple[Any, ...], Trouble], case: Mapping[str, Any], result: Mapping[str, Any], known: Known | None) -> None:
    verdict = result["verdict"]
    for one in failures(case, result):
        reason = known.reason(case, result, one) if known else ""
        key = (verdict, one["code"], one["kernel"], one["file"], one["line"], alike(verdict, one["message"]) if not one["code"] else "", reason)
        trouble = troubles.setdefault(key, Trouble(verdict, one["message"], one["code"], one["tier"], one["kernel"],
                                                   one["file"], one["line"], known=reason, related=[tuple(row) for row in one.get("related", ())]))  # fmt: skip
        if trouble.cases[-1:] != [result["id"]]:
            trouble.cases.append(result["id"])
            if len(trouble.variations) < 5:
                trouble.variations.append(title_of(case))


def excerpt(file: str, line: int, root: str) -> list[tuple[int, str]]:
    """Lines around one of a file, if the file is here: below `root` or where Python imports from."""
    path = path_of(file, root)
    if not path or line < 1:
        return []
    numbers = range(max(line - _AROUND, 1), line + _AROUND + 1)
    return [(number, text.rstrip("\n")) for number in numbers if (text := linecache.getline(path, number))]


# ---- since ----


def _changes(now: Report, before: Report) -> Changes:
    there, here = {one.key for one in before.troubles}, {one.key for one in (*now.troubles, *now.known)}
    shared = now.results.keys() & before.results.keys()
    return Changes(
        new=[one for one in now.troubles if one.key not in there],
        gone=[one for one in before.troubles if one.key not in here],
        cases_before=before.done,
        verdicts_before=before.verdicts,
        turned_bad=sorted(one for one in shared if before.results[one] == "pass" and now.results[one] in FAILED),
        turned_good=sum(before.results[one] in FAILED and now.results[one] == "pass" for one in shared),
        farther=farther(before.left, now.left),
        other_bytes=other_bytes(before.left, now.left),
        shown_before=before.shown,
    )
