"""From a TOML to cases. Every key is checked against a table; what is wrong is a PlanError with file, line and hint.

Invariant: the cases of a plan, their order and their ids depend on the TOML's text, the names of files that sources list, and
nothing else: not on the machine, the time or the state file."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from lockstep import errors, settings
from lockstep.campaign import axes as axes_of
from lockstep.campaign import case as cases_of
from lockstep.campaign import expressions
from lockstep.campaign.defaults import Defaults, Joined
from lockstep.campaign.problems import PlanError
from lockstep.campaign.tables import (
    ANY_NUMBER,
    COUNT,
    QUANTITY,
    TABLE,
    TEXT,
    Document,
    Key,
)
from lockstep.option_rows import ROWS

#: Axes and options that the engine sets around every source's `run`. The source applies num_warps and num_stages itself.
ENGINE_OPTIONS = tuple(row.name for row in ROWS if row.campaign == "option")
#: Axes that say in which order programs run: name -> key of a case's `schedule`.
SCHEDULE_AXES = {row.name: row.campaign_key for row in ROWS if row.campaign == "axis"}
_WITH_MORE = {"numpy": ":MODULE:FUNCTION", "triton": ":VERSION"}  # references that name something


_TABLES: dict[str, dict[str, Key]] = {
    "campaign": {"name": TEXT, "seed": COUNT, "root": TEXT, "known": TEXT, "ship_without": Key((list,), "a list of patterns"),
                 "coverage": Key((bool,), "true or false")},
    "budget": {"cases": COUNT, "time": QUANTITY},
    "limits": {"time": QUANTITY, "memory": QUANTITY},
}
#: Keys of every [[run]], whatever its kind.
RUN_KEYS: dict[str, Key] = {
    "kind": Key((str,), "a source's name", is_required=True),
    "name": TEXT,
    "axes": TABLE,
    "options": TABLE,
    "combine": Key((str, dict), '"product", "pairwise" or { random = N }'),
    "where": TEXT,
    "checks": Key((str, list), "a text or a list of texts"),
    "reference": TEXT,
    "fail_on": Key((str,), '"error" or "warning"'),
    "rtol": ANY_NUMBER,
    "atol": ANY_NUMBER,
}


@dataclass(frozen=True)
class Limits:
    """Of one case."""

    seconds: float = 60.0
    memory: int = 4 << 30  # bytes on top of what the worker has when the case begins


@dataclass
class Plan:
    """A parsed TOML."""

    document: Document
    name: str
    seed: int = 0
    max_cases: int = 0  # 0: all
    max_seconds: float = 0.0  # 0: any
    limits: Limits = field(default_factory=Limits)
    entries: list[Entry] = field(default_factory=list)
    coverage: bool = True  # of lines, branches and masks is noted in every case
    folder: str = "."  # where the cases' paths begin, from the TOML's folder
    ship_without: tuple[str, ...] = ()  # patterns of files below it that a cluster needs not
    known: str = ""  # a file of what goes wrong for a known reason, from the TOML's folder

    @property
    def path(self) -> Path:
        return self.document.path

    @property
    def text(self) -> str:
        return self.document.text

    @property
    def known_file(self) -> Path | None:
        return self.path.parent / self.known if self.known else None

    @property
    def root(self) -> Path:
        return (self.path.parent / self.folder).resolve()

    def cases(self) -> Iterator[tuple[str, str]]:
        """(id, canonical text) of every case, each once, at most `max_cases`."""
        limit = self.max_cases or None
        yield from itertools.islice(self._all_cases(), limit)

    def _all_cases(self) -> Iterator[tuple[str, str]]:
        seen: set[str] = set()
        for entry in self.entries:
            for text in entry.texts():
                key = cases_of.case_id(text)
                if key not in seen:
                    seen.add(key)
                    yield key, text


@dataclass
class Entry:
    """A [[run]] table: one source over some axes."""

    plan: Plan
    number: int  # from 0
    kind: str
    values: dict[str, Any]  # the source's own keys
    axes: dict[str, list[Any]]
    combine: str | int  # "product", "pairwise", or so many points by lot
    where: str
    checks: list[str]
    reference: str
    options: dict[str, Any]
    places: dict[str | tuple[str, str], str]  # which table of the TOML says a key: defaults.py

    def wrong(self, key: str, message: str, hint: str = "") -> NoReturn:
        """Raises the PlanError of one of this table's keys."""
        raise self.plan.document.wrong(self.places.get(key, f"run.{self.number}"), key, message, hint)

    def wrong_in(self, table: str, name: str, message: str, hint: str = "") -> PlanError:
        """The error of a name in "axes" or "options"."""
        place = self.places.get((table, name), f"run.{self.number}")
        return self.plan.document.wrong(f"{place}.{table}", name, message, hint)

    def lot(self, purpose: str) -> axes_of.Lot:
        """Random numbers that depend on the campaign's seed, this entry and the purpose."""
        return axes_of.Lot(int(cases_of.digest(f"{self.plan.seed}/{self.number}/{purpose}".encode())[:16], 16))

    def points(self, more: Mapping[str, list[Any]] | None = None) -> Iterator[dict[str, Any]]:
        """The combined axes; `more` (a source's own axes) come before the entry's."""
        every = {**(more or {}), **self.axes}
        if self.combine == "product":
            return axes_of.product(every, self._accepts)
        if self.combine == "pairwise":
            if axes_of.pairs_in(every) > axes_of.MOST_PAIRS:
                self.wrong("combine", f"more than {axes_of.MOST_PAIRS:,} pairs of values", "take fewer values, or { random = N }")
            return axes_of.pairwise(every, self._accepts, self.lot("pairwise"))
        assert isinstance(self.combine, int)
        return axes_of.drawn(every, self._accepts, self.combine, self.lot("random"))

    def _accepts(self, point: Mapping[str, Any]) -> bool:
        if not self.where:
            return True
        try:
            return bool(expressions.evaluate(self.where, point))
        except expressions.ExpressionError as error:
            self.wrong("where", str(error))

    def fill(self, key: str, text: Any, point: Mapping[str, Any]) -> str:
        """A text of the key with its {EXPRESSIONS} replaced."""
        try:
            return expressions.fill(text if isinstance(text, str) else expressions.spelled(text), point)
        except expressions.ExpressionError as error:
            self.wrong(key, str(error), "expressions in {} use the axes: docs/campaigns.md")

    def texts(self) -> Iterator[str]:
        """The canonical text of every case."""
        for one in self.cases():
            try:
                yield cases_of.canonical(one)
            except (TypeError, ValueError) as error:  # a date, an infinity: TOML has what JSON has not
                self.wrong("kind", f"a case holds a value that JSON cannot express: {error}")

    def cases(self) -> Iterator[dict[str, Any]]:
        from lockstep.campaign import sources

        module = sources.load(self.kind)
        points = module.points(self) if hasattr(module, "points") else self.points()
        for point in points:
            source = module.source(self, point)
            if source is not None:
                yield self._case(source, point)

    def case_at(self, given: Mapping[str, Any]) -> dict[str, Any] | None:
        """The case of a point of the axes, listed or not; None where `where` or the source excludes it. Raises PlanError."""
        from lockstep.campaign import sources

        point = dict(given)
        source = sources.load(self.kind).source(self, point) if self._accepts(point) else None
        return None if source is None else self._case(source, point)

    def _case(self, source: dict[str, Any], point: Mapping[str, Any]) -> dict[str, Any]:
        own = {name: value for name, value in point.items() if name not in (*ENGINE_OPTIONS, *SCHEDULE_AXES)}
        options = {**self.options, **{name: point[name] for name in ENGINE_OPTIONS if name in point}}
        schedule = {key: point.get(name, 0) for name, key in SCHEDULE_AXES.items()}
        return {"source": {"kind": self.kind, **source}, "vary": own, "checks": self.checks, "schedule": schedule,
                "options": options, "reference": self.reference}  # fmt: skip


def read(path: str | Path) -> Plan:
    """Raises PlanError."""
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PlanError(f"cannot be read: {error}", file=str(path)) from None
    return parse(text, file.resolve())


def parse(text: str, path: Path) -> Plan:
    """Raises PlanError."""
    document = Document(path, text)
    given = document.tables()
    known = (*_TABLES, "defaults", "run")
    for name in given:
        if name not in known:
            raise document.unknown("", name, known)
    for name, keys in _TABLES.items():
        document.check(name, given.get(name, {}), keys)
    campaign, budget, limits = (given.get(name, {}) for name in _TABLES)
    plan = Plan(document, campaign.get("name", path.stem), campaign.get("seed", 0))
    plan.coverage = campaign.get("coverage", True)
    plan.folder, plan.ship_without = campaign.get("root", "."), tuple(map(str, campaign.get("ship_without", ())))
    if "\0" in plan.folder or not plan.root.is_dir():
        raise document.wrong("campaign", "root", f"`root` is {plan.folder!r}, which is not a folder", "from the TOML's folder")
    plan.known = campaign.get("known", "")
    if plan.known_file is not None and ("\0" in plan.known or not plan.known_file.is_file()):
        raise document.wrong("campaign", "known", f"`known` is {plan.known!r}, which is not a file", "relative to the TOML's folder; `lockstep campaign known STATE` writes one")
    plan.max_cases = budget.get("cases", 0)
    plan.max_seconds = _quantity(document, "budget", "time", budget, 0.0)
    if plan.max_cases < 0:
        raise document.wrong("budget", "cases", "must be a number from 1 on; without the key all cases run")
    plan.limits = Limits(
        _quantity(document, "limits", "time", limits, Limits.seconds),
        int(_quantity(document, "limits", "memory", limits, Limits.memory)),
    )
    runs = given.get("run", [])
    if not isinstance(runs, list) or not runs:
        raise PlanError("there is nothing to run", file=str(path), hint="a campaign needs at least one [[run]] table")
    defaults = Defaults(document, given.get("defaults", {}), RUN_KEYS)
    plan.entries = [_entry(plan, number, table, defaults) for number, table in enumerate(runs)]
    return plan


def _quantity(document: Document, table: str, key: str, given: Mapping[str, Any], default: float) -> float:
    if key not in given:
        return default
    value = settings.size_of(given[key]) if key == "memory" else seconds_of(given[key])
    if value is None or value <= 0:
        raise document.wrong(table, key, f"`{key}` is {given[key]!r}", 'for example "2GiB"' if key == "memory" else 'for example 30 or "10min"')
    return value


def seconds_of(value: Any) -> float | None:
    """Seconds of 30 or "2min"; None for anything else."""
    try:
        return float(settings.check_option("timeout", value))
    except errors.OptionError:
        return None


def _entry(plan: Plan, number: int, given: Any, defaults: Defaults) -> Entry:
    from lockstep.campaign import sources

    joined = _joined(plan.document, number, given, defaults)
    table, kind = joined.table, joined.table["kind"]
    own = sources.load(kind).KEYS
    checks = table.get("checks", "default")
    entry = Entry(
        plan, number, kind, {name: table[name] for name in own if name in table}, {}, "product", table.get("where", ""),
        checks.split(",") if isinstance(checks, str) else list(checks), table.get("reference", "none"), {}, joined.places,
    )  # fmt: skip
    if isinstance(checks, list) and not all(isinstance(one, str) for one in checks):
        entry.wrong("checks", f"`checks` is {RUN_KEYS['checks'].what}")
    entry.combine = _combine(entry, table.get("combine", "product"))
    entry.options = _options(entry, table)
    entry.axes = _axes(entry, table.get("axes", {}))
    _check_words(entry, checks)
    return entry


def _joined(document: Document, number: int, given: Any, defaults: Defaults) -> Joined:
    """A [[run]] with its defaults; checks its source and its keys."""
    from lockstep.campaign import sources

    where = f"run.{number}"
    if not isinstance(given, dict):
        raise document.wrong("", "run", "`run` is a list of tables: [[run]]")
    kind = defaults.kind_of(given)
    if not isinstance(kind, str) or kind not in sources.KINDS:
        raise document.wrong(where, "kind", f"there is no source {kind!r}" if kind else "`kind` is missing",
                             f"there are {', '.join(sources.KINDS)}")  # fmt: skip
    keys = {**RUN_KEYS, **sources.load(kind).KEYS}
    joined = defaults.join(number, kind, given, keys)
    document.check(where, joined.table, keys)
    return joined


def _combine(entry: Entry, given: Any) -> str | int:
    if given in ("product", "pairwise"):
        return str(given)
    count = given.get("random") if isinstance(given, dict) and set(given) == {"random"} else None
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        entry.wrong("combine", f"`combine` is {given!r}", f'it is {RUN_KEYS["combine"].what}')
    return count


def _axes(entry: Entry, given: Mapping[str, Any]) -> dict[str, list[Any]]:
    found = {}
    for name, values in given.items():
        try:
            found[name] = axes_of.values_of(values, entry.lot(f"axis {name}"))
            cases_of.canonical(found[name])
        except (axes_of.AxisError, TypeError, ValueError) as error:
            raise entry.wrong_in("axes", name, f"axis `{name}`: {error}", "an axis must be a list or a range: docs/campaigns.md") from None
        for value in found[name]:
            _check_option(entry, "axes", name, value)
    return found


def _options(entry: Entry, table: Mapping[str, Any]) -> dict[str, Any]:
    options = dict(table.get("options", {}))
    for name, value in options.items():
        if name not in ENGINE_OPTIONS:
            raise entry.plan.document.unknown(f"{entry.places['options', name]}.options", name, ENGINE_OPTIONS)
        _check_option(entry, "options", name, value)
    for name in ("rtol", "atol"):
        if not 0 <= table.get(name, 0) < math.inf:
            entry.wrong(name, f"`{name}` is {table[name]!r}", "a number from 0 on")
    if table.get("fail_on", "error") not in ("error", "warning"):
        entry.wrong("fail_on", f"`fail_on` is {table['fail_on']!r}", 'it must be "error" or "warning"')
    return options | {name: table[name] for name in ("fail_on", "rtol", "atol") if name in table}


def _check_option(entry: Entry, table: str, name: str, value: Any) -> None:
    """Refuses values of the engine's options and axes that no launch could take."""
    from lockstep.campaign import sources

    if name in ("num_warps", "num_stages"):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 64:
            raise entry.wrong_in(table, name, f"`{name}` is {value!r}", "a number from 1 to 64")
        return
    if name not in ENGINE_OPTIONS and name not in SCHEDULE_AXES:
        return
    without = getattr(sources.load(entry.kind), "WITHOUT", {})
    if name in without:
        raise entry.wrong_in(table, name, f"`{name}` means nothing here: {without[name]}")
    try:
        settings.check_option(name, value)
    except errors.OptionError as error:
        raise entry.wrong_in(table, name, f"`{name}` {error}, not {value!r}") from None


def _check_words(entry: Entry, checks: Any) -> None:
    from lockstep.campaign import sources

    try:
        settings.check_option("check", ",".join(entry.checks) if isinstance(checks, list) else checks)
    except errors.OptionError as error:
        entry.wrong("checks", f"`checks` {error}", "`python -m lockstep --check all` uses the same names")
    supported = getattr(sources.load(entry.kind), "REFERENCES", ("none",))
    kind, _, what = entry.reference.partition(":")
    if kind not in supported or bool(what) != (kind in _WITH_MORE):
        words = ", ".join(one + _WITH_MORE.get(one, "") for one in supported)
        entry.wrong("reference", f"`reference` is {entry.reference!r}", f"a source of this kind knows {words}")
    if kind == "triton" and what not in settings.TRITON_VERSIONS:
        entry.wrong("reference", f"there is no Triton {what!r}", f"there are {', '.join(settings.TRITON_VERSIONS)}")
