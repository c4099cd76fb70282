"""A pytest session that stays open: its tests run when they are asked for, as often as asked, in any order.

pytest has no such session, so that its own loop of tests waits here for names, in a thread of its own. Invariants: every
run sets up and tears down what belongs to the test alone; fixtures of modules, packages and the session stay until a
test outside of them is asked for; nothing of a test's outcome is kept. Output is neither captured nor printed."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(frozen=True)
class Ran:
    """How a test ended: "passed", "skipped", or "failed" in the phase `when`, with what was raised."""

    outcome: str
    when: str = "call"
    raised: BaseException | None = None
    text: str = ""


@dataclass
class _Job:
    name: str
    around: Callable[[pytest.Item], contextlib.AbstractContextManager[None]]
    answer: queue.Queue[Any]


class _Prefix:
    """Stands for the next test where pytest asks how much to tear down: all but the last of these nodes stay."""

    def __init__(self, chain: Sequence[Any]) -> None:
        self._chain = list(chain)

    def listchain(self) -> list[Any]:
        return self._chain


class CannotCollect(Exception):
    """pytest did not reach its tests; the text is its output."""


class Host:
    """`Host(["tests"]).items` has the collected tests by name; `run(name)` runs one."""

    def __init__(self, arguments: Sequence[str], plugins: Sequence[object] = ()) -> None:
        self.items: dict[str, pytest.Item] = {}
        self._errors: list[str] = []
        self._jobs: queue.Queue[_Job | None] = queue.Queue()
        self._ready = threading.Event()
        fixed = ["-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:faulthandler", "-s"]
        self._arguments = [*fixed, *arguments]
        self._plugins = [self, *plugins]
        self._thread = threading.Thread(target=self._session, name="pytest", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._errors:
            self.close()
            raise CannotCollect("\n".join(self._errors))

    def _session(self) -> None:
        try:
            code = pytest.main(self._arguments, plugins=self._plugins)
            if not self._ready.is_set():
                self._errors.append(f"pytest {' '.join(self._arguments)} ended with {code!r} before its first test")
        except BaseException as error:  # noqa: BLE001 (a plugin may raise anything; the caller is told)
            self._errors.append(f"pytest {' '.join(self._arguments)}: {error!r}")
        finally:
            self._ready.set()

    def run(
        self,
        name: str,
        around: Callable[[pytest.Item], contextlib.AbstractContextManager[None]] = contextlib.nullcontext,
    ) -> Ran:
        """Runs the test inside `around(item)`, which is entered in pytest's thread. Raises KeyError for a name that was
        not collected, and what `around` raises."""
        if name not in self.items:
            raise KeyError(name)
        answer: queue.Queue[Any] = queue.Queue()
        self._jobs.put(_Job(name, around, answer))
        ran = answer.get()
        if isinstance(ran, BaseException):
            raise ran
        return ran

    def close(self) -> None:
        """Ends the session, and tears down what its fixtures hold."""
        self._jobs.put(None)
        self._thread.join()

    # ---- in pytest's thread ----

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._errors.append(f"{report.nodeid}: {report.longreprtext}")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        if not self.items:
            self._errors.append(f"pytest {' '.join(self._arguments)}: no tests were collected")
        self._ready.set()
        while (job := self._jobs.get()) is not None:
            item = self.items[job.name]
            try:
                session._setupstate.teardown_exact(_Prefix(item.listchain()))  # type: ignore[arg-type]
                with job.around(item):
                    ran = _run(item)
            except BaseException as error:  # noqa: BLE001 (handed to the thread that asked)
                job.answer.put(error)
            else:
                job.answer.put(ran)
        session._setupstate.teardown_exact(None)
        return True


def _run(item: pytest.Item) -> Ran:
    from _pytest.runner import call_and_report

    if hasattr(item, "_request") and not item._request:
        item._initrequest()  # type: ignore[attr-defined]  # of its last run there is nothing left
    raised: list[tuple[str, BaseException]] = []

    class Collect:
        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> Any:
            if call.excinfo is not None:
                raised.append((call.when, call.excinfo.value))
            return (yield)

    collect = Collect()
    item.config.pluginmanager.register(collect)
    try:
        reports = [call_and_report(item, "setup", log=False)]
        if reports[0].passed:
            reports.append(call_and_report(item, "call", log=False))
        stays = _Prefix([*item.listchain()[:-1], object()])
        reports.append(call_and_report(item, "teardown", log=False, nextitem=stays))
    finally:
        item.config.pluginmanager.unregister(collect)
        if hasattr(item, "_request"):
            item._request = False
            item.funcargs = None  # type: ignore[attr-defined]
    for report in reports:
        if not report.passed:
            error = next((one for when, one in raised if when == report.when), None)
            return Ran(report.outcome, report.when or "", error, report.longreprtext)
    return Ran("passed")
