"""The loop of a campaign: cases out of the state file into workers, results back into it, until there is none or a budget ends.

Invariant: results reach the file within half a second, in transactions; however this process ends, `resume` runs the
cases whose result is missing or comes from other code, and no others. Results do not depend on the workers (pool.py's here, ray_driver.py's on a cluster)."""

from __future__ import annotations

import contextlib
import os
import json
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, TextIO

from lockstep.campaign import failures, origins
from lockstep.campaign import known as knowns
from lockstep.campaign import plan as plans
from lockstep.campaign.case import digest
from lockstep.campaign.origins import Origins
from lockstep.campaign.pool import Config, Pool
from lockstep.campaign.problems import StateError
from lockstep.campaign.state import Result, State

_FLUSH_SECONDS, _FLUSH_RESULTS = 0.5, 500
_FETCH = 2000  # cases read from the file at a time
_POLL_SECONDS = 0.2


class Workers(Protocol):
    """What runs cases."""

    def wants(self) -> bool: ...
    def submit(self, key: str, text: str) -> None: ...
    def poll(self, timeout: float) -> list[Result]: ...
    def unfinished(self) -> int: ...
    def close(self) -> None: ...


@dataclass
class Summary:
    """How a run of a campaign ended."""

    state: Path
    cases: int = 0
    done: int = 0  # with results, earlier runs' included
    new: int = 0  # run this time
    seconds: float = 0.0  # this time
    verdicts: dict[str, int] = field(default_factory=dict)
    reason: str = ""  # why it ended before the cases did: "time", "cases", "interrupted", "changed"; "": it is complete
    old: int = 0  # results of older code that there were; they are run again
    changed: str = ""  # what of the code changed under them, or (reason "changed") while the cases ran
    known: knowns.Account = field(default_factory=knowns.Account)
    failures: str = ""  # what failed and is not known, for people
    is_quick: bool = False  # some of its runs name no checkers: they look for what `--check quick` looks for

    @property
    def exit_code(self) -> int:
        if self.reason:
            return 130 if self.reason == "interrupted" else 5
        return 1 if self.failed > self.known.cases else 0

    @property
    def failed(self) -> int:
        """Cases that did not pass, including known ones."""
        return sum(count for verdict, count in self.verdicts.items() if verdict != "pass")


def run_plan(path: str | Path, *, state: str | Path | None = None, **options: Any) -> Summary:
    """Runs a TOML's campaign, or continues it. Options: jobs, cases, seconds, ray, known_file, progress (see run_state)."""
    plan = plans.read(path)
    with State(state if state is not None else plan.path.with_suffix(".db")) as opened:
        enter(opened, plan, lists_anew=True)
        return run_state(opened, plan, **options)


def resume(state: str | Path, **options: Any) -> Summary:
    """Continues a campaign from its state file alone."""
    with State(state, must_exist=True) as opened:
        plan = plan_of(opened)
        enter(opened, plan)
        return run_state(opened, plan, **options)


def plan_of(state: State) -> plans.Plan:
    """The plan that started a state file."""
    text, path = state.value("plan"), state.value("path")
    if text is None or path is None:
        raise StateError(f"{state.path}: the file holds no campaign to continue")
    return plans.parse(text, Path(path))


def enter(state: State, plan: plans.Plan, *, lists_anew: bool = False) -> None:
    """Writes the plan and its cases where they are not there yet. lists_anew: also where they are, for tests and files that
    came and went; not in a file merged of several."""
    mark = digest(plan.text.encode())
    there = state.value("plan_sha256")
    if there is None:
        from lockstep import __version__

        state.add_cases(plan.cases(), plan=plan.text, plan_sha256=mark, name=plan.name, path=plan.path, root=plan.root, version_of=__version__)
    elif there != mark:
        raise StateError(f"{state.path}: this is the state of another campaign, or of this one before its TOML was changed\n"
                         "hint: name another file with --state, or remove this one")  # fmt: skip
    elif lists_anew and not state.value("merged"):
        state.replace_cases(plan.cases(), root=plan.root)


def run_state(state: State, plan: plans.Plan, *, jobs: int = 0, cases: int = 0, seconds: float = 0.0, ray: str = "",
              known_file: str = "", progress: bool | None = None) -> Summary:  # fmt: skip
    """Runs what is missing. jobs: worker processes (0: all cores). cases, seconds: at most so many more, for so long (0: the
    plan's). ray: "auto" or an address: on that cluster. known_file: instead of the plan's. progress: a line on stderr (None: on
    a terminal)."""
    known = knowns.of(plan, known_file)  # before the cases: what is wrong with the file is told now
    code = origins.judge(state, plan.root)
    with contextlib.closing(workers_for(plan, jobs, ray)) as workers:
        summary = run_with(workers, state, plan.name, cases=cases, seconds=seconds or plan.max_seconds, progress=progress, code=code)
    summary.is_quick = any(entry.checks == ["default"] for entry in plan.entries)
    if known is not None:
        summary.known = knowns.account(known, state)
    if summary.failed > summary.known.cases:
        summary.failures = failures.text_of(state, known)
    return summary


def workers_for(plan: plans.Plan, jobs: int = 0, ray: str = "") -> Workers:
    """The workers for a plan's cases, here or on a cluster. Close it. Raises Missing for an unreachable cluster."""
    config = Config(plan.root, plan.limits.seconds, plan.limits.memory, plan.coverage)
    if not ray:
        return Pool(config, jobs or _cores())
    from lockstep.campaign import ray_driver

    return ray_driver.Cluster(config, ray, jobs, ship_without=plan.ship_without)


def _cores() -> int:
    """The cores that this process may use, where the system names them."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_with(workers: Workers, state: State, name: str = "", *, cases: int = 0, seconds: float = 0.0,
             progress: bool | None = None, code: Origins | None = None) -> Summary:  # fmt: skip
    """Runs the missing cases on these workers, which stay. code: the judge of the state; None: results are stored without their code."""
    line = _ProgressLine(sys.stderr, name, sys.stderr.isatty() if progress is None else progress)
    with _stopped_by_signals() as stop:
        return _Run(state, workers, line, stop, code).run(cases, seconds)


class _Run:
    """One run of the loop."""

    def __init__(self, state: State, workers: Workers, line: _ProgressLine, stop: Callable[[], bool], code: Origins | None) -> None:
        self.state, self.workers, self.line, self.stop, self.code = state, workers, line, stop, code
        self.summary = Summary(state.path, cases=state.count("cases"), done=state.done(), verdicts=state.verdicts(),
                               old=sum(state.old_verdicts().values()), changed=origins.why_old(state, code))  # fmt: skip
        self._origins: dict[str, str] = {}  # of the cases that were given to workers
        self._unwritten: list[Result] = []
        self._last_write = time.monotonic()

    def run(self, most_cases: int, most_seconds: float) -> Summary:
        start = time.monotonic()
        try:
            self.summary.reason = self._loop(self._cases(most_cases), start + most_seconds if most_seconds else float("inf"))
        finally:
            self._write()
        self._disown_what_moved()
        self.summary.seconds = time.monotonic() - start
        if not self.summary.reason and self.summary.done < self.summary.cases:
            self.summary.reason = "cases"
        self.line.clear()
        return self.summary

    def _loop(self, source: Iterator[tuple[str, str]], end: float) -> str:
        """Runs until no case is left; returns why it ended before that, else ""."""
        upcoming = next(source, None)
        while upcoming is not None or self.workers.unfinished():
            if self.stop():
                return "interrupted"
            if time.monotonic() >= end:
                return "time"
            while upcoming is not None and self.workers.wants():
                if self.code is not None:
                    self._origins[upcoming[0]] = self.code.of(json.loads(upcoming[1]))
                self.workers.submit(*upcoming)
                upcoming = next(source, None)
            self._take(self.workers.poll(_POLL_SECONDS))
        return ""

    def _cases(self, most: int) -> Iterator[tuple[str, str]]:
        after, left = -1, most or sys.maxsize
        while left > 0 and (rows := self.state.open_cases(min(_FETCH, left), after)):
            for after, key, text in rows:
                yield key, text
            left -= len(rows)

    def _disown_what_moved(self) -> None:
        """A worker may have read either text of a file that changed after its hash was taken."""
        moved = self.code.moved() if self.code is not None else []
        touched = self.code.touching(moved) if self.code is not None and moved else set()
        ids = [key for key, origin in self._origins.items() if origin in touched]
        if ids:
            self.state.disown(ids)
            self.summary.done, self.summary.verdicts = self.state.done(), self.state.verdicts()
            self.summary.reason, self.summary.changed = self.summary.reason or "changed", ", ".join(moved)

    def _take(self, results: list[Result]) -> None:
        self._unwritten += [replace(one, origin=self._origins.get(one.id, "")) for one in results]
        waited = time.monotonic() - self._last_write
        if self._unwritten and (waited >= _FLUSH_SECONDS or len(self._unwritten) >= _FLUSH_RESULTS):
            self._write()

    def _write(self) -> None:
        known = self.code.texts if self.code is not None else {}
        texts = {one.origin: known[one.origin] for one in self._unwritten if one.origin in known}
        new = self.state.add_results(self._unwritten, texts) if self._unwritten else Counter()
        self._unwritten = []
        self._last_write = time.monotonic()
        self.summary.done += new.total()
        self.summary.new += new.total()
        for verdict, count in new.items():
            self.summary.verdicts[verdict] = self.summary.verdicts.get(verdict, 0) + count
        if new:
            self.line.update(self.summary.done, self.summary.cases, self.summary.verdicts)


class _ProgressLine:
    """The progress, the rate, the findings so far and the time left."""

    def __init__(self, out: TextIO, name: str, is_on: bool) -> None:
        self.out, self.name, self.is_on = out, name, is_on
        self._recent: deque[tuple[float, int]] = deque(maxlen=20)
        self._is_shown = False

    def update(self, done: int, total: int, verdicts: dict[str, int]) -> None:
        self._recent.append((time.monotonic(), done))
        if not self.is_on:
            return
        (then, before), (now, _) = self._recent[0], self._recent[-1]
        rate = (done - before) / (now - then) if now > then else 0.0
        others = ", ".join(f"{count:,} {verdict}" for verdict, count in verdicts.items() if verdict != "pass") or "all pass"
        left = f", {_duration((total - done) / rate)} left" if rate > 0 and done < total else ""
        text = f"{self.name}: {done:,} of {total:,} cases, {rate:,.1f}/s, {others}{left}"
        self.out.write(f"\r\x1b[K{text}" if self.out.isatty() else text + "\n")
        self.out.flush()
        self._is_shown = True

    def clear(self) -> None:
        if self._is_shown and self.out.isatty():
            self.out.write("\r\x1b[K")
            self.out.flush()


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


@contextlib.contextmanager
def _stopped_by_signals() -> Iterator[Callable[[], bool]]:
    """Ctrl-C and SIGTERM end the loop once its results are written; a second one ends the process as always."""
    seen: list[int] = []
    before: dict[int, Any] = {}

    def note(number: int, frame: object) -> None:
        seen.append(number)
        signal.signal(number, before[number])

    try:
        for wanted in (signal.SIGINT, signal.SIGTERM):
            before[wanted] = signal.signal(wanted, note)
    except ValueError:  # not the main thread: the caller's business
        pass
    try:
        yield lambda: bool(seen)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
