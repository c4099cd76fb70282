"""The loop of a campaign: cases out of the state file into workers, results back into it, until there is none or a budget ends.

Invariant: results reach the file within half a second, in transactions; whatever ends this process, `resume` runs what is
missing and nothing else. Which workers (pool.py's here, ray_driver.py's on a cluster) makes no difference to any result."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TextIO

from lockstep.campaign import known as knowns
from lockstep.campaign import plan as plans
from lockstep.campaign.case import digest
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
    reason: str = ""  # why it ended before the cases did: "time", "cases", "interrupted"; "": it is complete
    known: knowns.Account = field(default_factory=knowns.Account)

    @property
    def exit_code(self) -> int:
        if self.reason:
            return 130 if self.reason == "interrupted" else 5
        return 1 if self.failed > self.known.cases else 0

    @property
    def failed(self) -> int:
        """Cases that did not pass, known ones too."""
        return sum(count for verdict, count in self.verdicts.items() if verdict != "pass")


def run_plan(path: str | Path, *, state: str | Path | None = None, **options: Any) -> Summary:
    """Runs a TOML's campaign, or goes on with it. Options: jobs, cases, seconds, ray, known_file, progress (see run_state)."""
    plan = plans.read(path)
    with State(state if state is not None else plan.path.with_suffix(".db")) as opened:
        enter(opened, plan)
        return run_state(opened, plan, **options)


def resume(state: str | Path, **options: Any) -> Summary:
    """Goes on with a campaign by its state file alone."""
    with State(state, must_exist=True) as opened:
        plan = plan_of(opened)
        enter(opened, plan)
        return run_state(opened, plan, **options)


def plan_of(state: State) -> plans.Plan:
    """The plan that a state file was begun with."""
    text, path = state.value("plan"), state.value("path")
    if text is None or path is None:
        raise StateError(f"{state.path}: the file holds no campaign that could be gone on with")
    return plans.parse(text, Path(path))


def enter(state: State, plan: plans.Plan) -> None:
    """Writes the plan and its cases where they are not there yet."""
    mark = digest(plan.text.encode())
    there = state.value("plan_sha256")
    if there is None:
        from lockstep import __version__

        state.add_cases(plan.cases(), plan=plan.text, plan_sha256=mark, name=plan.name, path=plan.path, version_of=__version__)
    elif there != mark:
        raise StateError(f"{state.path}: this is the state of another campaign, or of this one before its TOML was changed\n"
                         "hint: name another file with --state, or remove this one")  # fmt: skip


def run_state(state: State, plan: plans.Plan, *, jobs: int = 0, cases: int = 0, seconds: float = 0.0, ray: str = "",
              known_file: str = "", progress: bool | None = None) -> Summary:  # fmt: skip
    """Runs what is missing. jobs: worker processes (0: all cores). cases, seconds: at most so many more, for so long (0: the
    plan's). ray: "auto" or an address: on that cluster. known_file: instead of the plan's. progress: a line on stderr (None: on
    a terminal)."""
    known = knowns.of(plan, known_file)  # before the cases: what is wrong with the file is told now
    with contextlib.closing(workers_for(plan, jobs, ray)) as workers:
        summary = run_with(workers, state, plan.name, cases=cases, seconds=seconds or plan.max_seconds, progress=progress)
    if known is not None:
        summary.known = knowns.account(known, state)
    return summary


def workers_for(plan: plans.Plan, jobs: int = 0, ray: str = "") -> Workers:
    """What runs the cases of a plan, here or on a cluster. Close it. Raises Missing for a cluster that is not there."""
    config = Config(plan.root, plan.limits.seconds, plan.limits.memory, plan.coverage)
    if not ray:
        return Pool(config, jobs or _cores())
    from lockstep.campaign import ray_driver

    return ray_driver.Cluster(config, ray, jobs, ship_without=plan.ship_without)


def _cores() -> int:
    """That this process may use, where the system says which."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_with(workers: Workers, state: State, name: str = "", *, cases: int = 0, seconds: float = 0.0,
             progress: bool | None = None) -> Summary:  # fmt: skip
    """Runs what is missing on these workers, which stay."""
    line = _ProgressLine(sys.stderr, name, sys.stderr.isatty() if progress is None else progress)
    with _stopped_by_signals() as stop:
        return _Run(state, workers, line, stop).run(cases, seconds)


class _Run:
    """One run of the loop."""

    def __init__(self, state: State, workers: Workers, line: _ProgressLine, stop: Callable[[], bool]) -> None:
        self.state, self.workers, self.line, self.stop = state, workers, line, stop
        self.summary = Summary(state.path, cases=state.count("cases"), done=state.count("results"), verdicts=state.verdicts())
        self._unwritten: list[Result] = []
        self._last_write = time.monotonic()

    def run(self, most_cases: int, most_seconds: float) -> Summary:
        start = time.monotonic()
        try:
            self.summary.reason = self._loop(self._cases(most_cases), start + most_seconds if most_seconds else float("inf"))
        finally:
            self._write()
        self.summary.seconds = time.monotonic() - start
        if not self.summary.reason and self.summary.done < self.summary.cases:
            self.summary.reason = "cases"
        self.line.clear()
        return self.summary

    def _loop(self, source: Iterator[tuple[str, str]], end: float) -> str:
        """Until there is no case left; why it ended before that, else ""."""
        upcoming = next(source, None)
        while upcoming is not None or self.workers.unfinished():
            if self.stop():
                return "interrupted"
            if time.monotonic() >= end:
                return "time"
            while upcoming is not None and self.workers.wants():
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

    def _take(self, results: list[Result]) -> None:
        self._unwritten += results
        waited = time.monotonic() - self._last_write
        if self._unwritten and (waited >= _FLUSH_SECONDS or len(self._unwritten) >= _FLUSH_RESULTS):
            self._write()

    def _write(self) -> None:
        new = self.state.add_results(self._unwritten) if self._unwritten else Counter()
        self._unwritten = []
        self._last_write = time.monotonic()
        self.summary.done += new.total()
        self.summary.new += new.total()
        for verdict, count in new.items():
            self.summary.verdicts[verdict] = self.summary.verdicts.get(verdict, 0) + count
        if new:
            self.line.update(self.summary.done, self.summary.cases, self.summary.verdicts)


class _ProgressLine:
    """How far it is, how fast, what was found, how long it takes."""

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
    """Ctrl-C and SIGTERM end the loop after what is done is written; a second one ends the process as always."""
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
