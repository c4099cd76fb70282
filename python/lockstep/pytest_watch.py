"""What the pytest plugin does while tests run: collects reports, turns findings into failures, counts for the summary.

Invariant: a finding of tier error or warning belongs to the test that was running, in whichever phase, and fails it under
--lockstep-check unless the marker `lockstep_findings` or the fixture `lockstep_launch` asked for its code. Findings of
tier info never fail a test. Loaded only when the plugin has something to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

import lockstep
from lockstep import settings

if TYPE_CHECKING:
    from typing_extensions import Self

    from lockstep._native import Finding, LaunchReport

_COUNTS = ("launches", "programs", "findings", "silenced")


def loud(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that can fail a test."""
    return [finding for finding in findings if finding.tier in ("error", "warning")]


def _findings(reports: Iterable[LaunchReport]) -> list[Finding]:
    return loud(finding for report in reports for finding in report.findings)


def _rendered(reports: Iterable[LaunchReport]) -> str:
    parts = []
    for report in reports:
        parts += [finding.text.rstrip("\n") for finding in loud(report.findings)]
    return "\n".join(parts)


class Watch:
    """The plugin object of a session; also the context manager that listens to launches."""

    def __init__(self, *, checks: bool, is_whole_session: bool, pretends: bool) -> None:
        self.checks = checks
        self.is_whole_session = is_whole_session
        self.pretends = pretends
        self.counts = dict.fromkeys(_COUNTS, 0)
        self.left_out: Counter[str] = Counter()  # launches by names of checkers that did not look, with commas between
        self.launches_of_test = 0
        self.found: list[LaunchReport] = []  # of the running test, with findings that nobody asked for yet

    def __enter__(self) -> Self:
        settings.add_observer(self.observe)
        return self

    def __exit__(self, *_: object) -> None:
        settings.remove_observer(self.observe)

    def observe(self, report: LaunchReport) -> None:
        self.launches_of_test += 1
        self.counts["launches"] += 1
        self.counts["programs"] += report.programs_run
        findings = loud(report.findings)
        self.counts["findings"] += len(findings)
        self.counts["silenced"] += len(loud(report.silenced))
        if report.left_out:
            self.left_out[",".join(report.left_out)] += 1
        if findings:
            self.found.append(report)

    def forget(self, reports: Iterable[object]) -> None:
        """Marks the findings of these reports as expected."""
        seen = {id(report) for report in reports}
        self.found = [report for report in self.found if id(report) not in seen]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self.found, self.launches_of_test = [], 0
        with lockstep.options(**_without_baseline(item.get_closest_marker("lockstep_findings"))):  # what a test sets ends with it
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, None, None]:
        yield from self._phase(item, "setup")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        yield from self._phase(item, "call")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, None, None]:
        yield from self._phase(item, "teardown")

    def _phase(self, item: pytest.Item, phase: str) -> Generator[None, None, None]:
        __tracebackhide__ = True
        expected = _expected_codes(item)
        try:
            yield
        except lockstep.KernelFault as error:
            if not expected or not {one.code for one in error.findings if one.tier == "error"} <= expected:
                self.forget([error.report])  # its message has them
                self._add_section(item, phase)
                raise
        except BaseException:
            self._add_section(item, phase)
            raise
        if expected:
            self._demand(item, phase, expected)
        elif self.checks and self.found:
            self._fail(item, phase, f"{_count(_findings(self.found), 'finding')} of Lockstep")

    def _demand(self, item: pytest.Item, phase: str, expected: set[str]) -> None:
        __tracebackhide__ = True
        if phase != "call" or (self.launches_of_test == 0 and not self.is_whole_session):
            return
        codes = {finding.code for finding in _findings(self.found)}
        if missing := sorted(expected - codes):
            self._fail(item, phase, f"expected {', '.join(missing)}, which no launch of this test has")
        if unexpected := sorted(codes - expected):
            self._fail(item, phase, f"{', '.join(unexpected)} in addition to the expected {', '.join(sorted(expected))}")
        self.found = []

    def _fail(self, item: pytest.Item, phase: str, message: str) -> None:
        __tracebackhide__ = True
        self._add_section(item, phase)
        pytest.fail(message, pytrace=False)

    def _add_section(self, item: pytest.Item, phase: str) -> None:
        if self.found:
            item.add_report_section(phase, "lockstep findings", _rendered(self.found))
            self.found = []

    def pytest_report_header(self) -> str | None:
        if not self.is_whole_session:
            return None
        words = [f"lockstep: {lockstep.__version__}", f"as {settings.current().target}"]
        words += ["cuda means the CPU"] if self.pretends else []
        words += ["findings fail tests"] if self.checks else []
        return ", ".join(words)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = getattr(session.config, "workeroutput", None)  # in a worker of pytest-xdist
        if output is not None:
            output["lockstep"] = dict(self.counts)
            output["lockstep_left_out"] = dict(self.left_out)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        for name, count in getattr(node, "workeroutput", {}).get("lockstep", {}).items():
            self.counts[name] += count
        self.left_out.update(getattr(node, "workeroutput", {}).get("lockstep_left_out", {}))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.is_whole_session:
            shown = [name for name in _COUNTS if name != "silenced" or self.counts[name] != 0]
            parts = [f"{self.counts[name]:,} {name if self.counts[name] != 1 else _SINGULAR[name]}" for name in shown]
            terminalreporter.write_line("lockstep: " + ", ".join(parts) + self._not_looked())

    def _not_looked(self) -> str:
        """What "0 findings" does not cover."""
        words = settings.current().check
        if words in ("none", "quick"):
            return f" (only {'accesses' if words == 'none' else 'quick checkers'} looked: check={words}; --lockstep-checkers all)"
        if not self.left_out:
            return ""
        names = dict.fromkeys(name for names in self.left_out for name in names.split(","))
        launches = f"{self.left_out.total():,} launch{'' if self.left_out.total() == 1 else 'es'}"
        return f" (not looked for in {launches}: {', '.join(names)}; --lockstep-checkers all)"


_SINGULAR = {"launches": "launch", "programs": "program", "findings": "finding", "silenced": "silenced"}


def _count(things: list[Any], name: str) -> str:
    return f"{len(things)} {name}{'' if len(things) == 1 else 's'}"


def _without_baseline(expected: object) -> dict[str, Any]:
    """Options for a test that expects findings: the checkers must see them."""
    return {"baseline": None, "update_baseline": None} if expected else {}


def _expected_codes(item: pytest.Item) -> set[str]:
    codes: set[str] = set()
    for marker in item.iter_markers("lockstep_findings"):
        if not marker.args or not all(isinstance(code, str) and code.startswith("LS") for code in marker.args):
            raise pytest.UsageError("lockstep_findings needs codes, for example lockstep_findings('LS101')")
        codes.update(marker.args)
    return codes


@dataclass(frozen=True)
class LaunchResult:
    """What `lockstep_launch` saw."""

    value: Any  # what the called function returned; None if the launch raised an expected finding
    reports: list[LaunchReport]

    @property
    def report(self) -> LaunchReport:
        """Of the last launch."""
        return self.reports[-1]

    @property
    def findings(self) -> list[Finding]:
        return [finding for report in self.reports for finding in report.findings]

    @property
    def codes(self) -> list[str]:
        """The codes of findings of tier error and warning, each once, in order."""
        return list(dict.fromkeys(finding.code for finding in _findings(self.reports)))


class LaunchChecker:
    """The fixture lockstep_launch: calls a function that launches, and requires clean launches."""

    def __init__(self, watch: Watch | None, expected: tuple[str, ...] = ()) -> None:
        self._watch = watch
        self._expected = expected

    def expecting(self, *codes: str) -> LaunchChecker:
        """The same check, for a launch with findings of exactly these codes."""
        return LaunchChecker(self._watch, codes)

    def __call__(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> LaunchResult:
        __tracebackhide__ = True
        value = None
        with lockstep.reports() as seen, lockstep.options(**_without_baseline(self._expected)):
            try:
                value = function(*args, **kwargs)
            except lockstep.KernelFault as error:
                if not {one.code for one in error.findings if one.tier == "error"} <= set(self._expected):
                    raise
        result = LaunchResult(value, seen)
        if self._watch is not None:
            self._watch.forget(seen)
        if not seen:
            pytest.fail("no launch ran on Lockstep; is it active?", pytrace=False)
        if set(result.codes) != set(self._expected):
            wanted = ", ".join(self._expected) or "no findings"
            pytest.fail(
                f"expected {wanted}, found {', '.join(result.codes) or 'none'}\n{_rendered(seen)}", pytrace=False
            )
        return result
