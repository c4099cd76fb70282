"""Known failures: a TOML file that lists failures with their reasons (docs/campaigns.md, "What is known").

Known failures change neither cases nor results, only exit codes and reports. So the file may grow while a state file
exists."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lockstep.campaign.problems import PlanError
from lockstep.campaign.report.gather import JUDGED, failures, kernels_of, variation_of
from lockstep.campaign.tables import TABLE, TEXT, Document, Key

if TYPE_CHECKING:
    from lockstep.campaign.plan import Plan
    from lockstep.campaign.state import State

_VERDICTS = (*(one for one in JUDGED if one != "pass"), "refused", "error")
_TEXTS = Key((str, list), "a pattern or a list of patterns")
KEYS = {
    "reason": Key((str,), "why it is true, and where that is written", is_required=True),
    "verdict": Key((str,), f"one of {', '.join(_VERDICTS)}"),
    "code": TEXT,
    "kernel": _TEXTS,
    "file": TEXT,
    "message": TEXT,
    "vary": TABLE,
}


@dataclass(frozen=True)
class Entry:
    """A trouble must match every pattern of the entry; patterns are those of file names (`*`, `?`, `[abc]`)."""

    reason: str
    verdict: str = "finding"
    code: str = "*"
    kernels: tuple[str, ...] = ("*",)
    file: str = "*"
    message: str = "*"
    vary: tuple[tuple[str, tuple[str, ...]], ...] = ()  # axis -> patterns of its value
    line: int = 0

    def is_about(self, case: Mapping[str, Any], kernels: list[str]) -> bool:
        """Whether a case could show the entry: the case launches its kernel and varies its axis."""
        if not any(fnmatchcase(kernel, wanted) for kernel in kernels for wanted in self.kernels):
            return False
        values = variation_of(case) if self.vary else {}
        return all(any(fnmatchcase(values.get(axis, ""), one) for one in wanted) and axis in values for axis, wanted in self.vary)

    def matches(self, verdict: str, trouble: Mapping[str, Any]) -> bool:
        """`trouble`: one of `failures`."""
        return (verdict == self.verdict and fnmatchcase(trouble["code"], self.code) and fnmatchcase(trouble["file"], self.file)
                and fnmatchcase(trouble["message"], self.message))  # fmt: skip

    def __str__(self) -> str:
        what = self.verdict if self.code == "*" else self.code
        of = "" if self.kernels == ("*",) else f" {', '.join(self.kernels)}"
        varied = "; ".join(f"{axis} {' or '.join(values)}" for axis, values in self.vary)
        more = [one for one in (varied, "" if self.message == "*" else self.message) if one]
        return what + of + (f" ({'; '.join(more)})" if more else "")


@dataclass
class Known:
    """The entries of a file, and which of them matched something."""

    path: Path
    entries: list[Entry] = field(default_factory=list)
    met: set[int] = field(default_factory=set)

    def reason(self, case: Mapping[str, Any], result: Mapping[str, Any], trouble: Mapping[str, Any]) -> str:
        """Why a trouble of a case is known; "" where it is not."""
        kernels = [trouble["kernel"]] if trouble["code"] else kernels_of(case, result)
        for number, entry in enumerate(self.entries):
            if entry.matches(result["verdict"], trouble) and entry.is_about(case, kernels):
                self.met.add(number)
                return entry.reason
        return ""

    def covers(self, case: Mapping[str, Any], result: Mapping[str, Any]) -> bool:
        """Whether all troubles of a case are known."""
        reasons = [self.reason(case, result, trouble) for trouble in failures(case, result)]
        return all(reasons)

    def stale(self, state: State) -> list[Entry]:
        """Entries that nothing matched although a case launched the kernel and varied the axis. Ask after `covers` for every case.
        What an entry for any kernel is about only a match can say."""
        left = {number: entry for number, entry in enumerate(self.entries) if number not in self.met and entry.kernels != ("*",)}
        found: dict[int, Entry] = {}
        for case, result in rows(state) if left else ():
            kernels = kernels_of(case, result)
            found |= {number: entry for number, entry in left.items() if number not in found and entry.is_about(case, kernels)}
        return [entry for _, entry in sorted(found.items())]


@dataclass
class Account:
    """The known troubles of a campaign."""

    cases: int = 0  # that failed in known ways only
    stale: list[Entry] = field(default_factory=list)  # only where no case is left to be run


def account(known: Known, state: State) -> Account:
    """Goes through a state's results."""
    made = Account(sum(known.covers(case, result) for case, result in rows(state, "verdict != 'pass'")))
    if state.done() == state.count("cases"):
        made.stale = known.stale(state)
    return made


def rows(state: State, where: str = "1") -> Iterator[tuple[Any, Any]]:
    """(case, result) of current results."""
    for case, result, _ in state.results(where):
        yield json.loads(case), json.loads(result)


# ---- the file ----


def of(plan: Plan, file: str = "") -> Known | None:
    """The known troubles of a plan, or of another file. Raises PlanError."""
    path = Path(file) if file else plan.known_file
    return read(path) if path is not None else None


def of_state(state: State, file: str = "") -> Known | None:
    """The known troubles of a state file. Raises PlanError, also where the campaign's file of known troubles is missing."""
    text, path = state.value("plan"), state.value("path")
    if file or text is None or path is None:
        return read(Path(file)) if file else None
    given = Document(Path(path), text).tables().get("campaign", {}).get("known", "")
    return read(Path(path).parent / given) if given else None


def read(path: Path) -> Known:
    """Raises PlanError."""
    try:
        document = Document(path, path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise PlanError(f"cannot be read: {error}", file=str(path), hint="`lockstep campaign known STATE` writes one; --known FILE names one elsewhere") from None
    given = document.tables()
    for name in given:
        if name != "known":
            raise document.unknown("", name, ("known",))
    tables = given.get("known", [])
    if not isinstance(tables, list):
        raise document.wrong("", "known", "`known` is a list of tables: [[known]]")
    return Known(path, [_entry(document, number, table) for number, table in enumerate(tables)])


def _entry(document: Document, number: int, table: Any) -> Entry:
    where = f"known.{number}"
    document.check(where, table, KEYS)
    if not table["reason"].strip():
        raise document.wrong(where, "reason", "`reason` is empty", "write why it is true, or where that is written: every report shows it")
    verdict = table.get("verdict", "finding")
    if verdict not in _VERDICTS:
        raise document.wrong(where, "verdict", f"there is no verdict {verdict!r} that goes wrong", f"there are {', '.join(_VERDICTS)}")
    for name in ("code", "file"):
        if name in table and verdict != "finding":
            raise document.wrong(where, name, f"`{name}` belongs to a finding, and a {verdict} has none", "`kernel`, `vary` and `message` narrow it")
    if not set(table) & {"code", "kernel", "file", "message"}:
        raise document.wrong(where, "", f"this would take every {verdict} for known", "name a code, a kernel, a file or a message")
    vary = tuple((axis, _texts(document, f"{where}.vary", axis, value)) for axis, value in table.get("vary", {}).items())
    return Entry(table["reason"], verdict, table.get("code", "*"), _texts(document, where, "kernel", table.get("kernel", "*")),
                 table.get("file", "*"), table.get("message", "*"), vary, document.line_of(where))  # fmt: skip


def _texts(document: Document, table: str, key: str, value: Any) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    if not values or any(isinstance(one, (dict, list)) for one in values):
        raise document.wrong(table, key, f"`{key}` must be a pattern or a list of patterns, not {value!r}")
    return tuple(str(one) for one in values)
