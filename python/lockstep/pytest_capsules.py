"""`pytest --lockstep-capsules DIR`: the launches of a failing test, as capsules that `lockstep debug` takes.

While a test runs, a launch that raises or has findings that can fail a test is written at once, as it was before it was made;
the last launches are kept in memory. When the test fails, what was written stays, or else the last launches are written, and
the report's section ends with the commands that replay them; when it passes, nothing of it stays. Names come from the test, so
that workers of pytest-xdist share a folder, and a test's next run takes away what its last one left."""

from __future__ import annotations

import glob
import os
import re
import zlib
from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from lockstep import capsule_writer, recording, replaying, settings
from lockstep.pytest_watch import loud

if TYPE_CHECKING:
    from lockstep._native import Finding, LaunchReport

MOST_OF_A_TEST = 8  # launches that went wrong
LAST = 4  # launches of a test in which none went wrong
MOST, MOST_BYTES = 200, 1 << 30  # capsules, and bytes of their files, of a session
MOST_MEMORY = 64 << 20  # bytes that a launch's arguments lie in; larger ones are left out
_MOST_NAME = 80


@dataclass
class _Test:
    """The one that runs."""

    stem: str = ""  # what its capsules' names begin with
    written: list[tuple[str, str]] = field(default_factory=list)  # (file, what went wrong and the command)
    last: deque[tuple[capsule_writer.Launch, settings.Options]] = field(default_factory=lambda: deque(maxlen=LAST))
    has_failed: bool = False


class Capsules(recording.record):
    """The plugin object of a session; also the recorder of its launches."""

    def __init__(self, folder: str) -> None:
        super().__init__(os.path.abspath(folder), max_bytes=MOST_MEMORY, outputs=False)
        self.kept, self.bytes, self.left_out = 0, 0, 0
        self._test = _Test()
        self._found: list[LaunchReport] = []  # of the launch that runs

    def __enter__(self) -> Capsules:
        super().__enter__()
        settings.add_observer(self._observe)
        return self

    def __exit__(self, *error: object) -> None:
        settings.remove_observer(self._observe)
        super().__exit__(*error)

    def _observe(self, report: LaunchReport) -> None:
        if loud(report.findings):
            self._found.append(report)

    # ---- as a recorder ----

    def wants(self, kernel: Any) -> bool:
        self._found.clear()
        return bool(self._test.stem)

    def keep(self, kernel: Any, launch: capsule_writer.Launch, raised: bool = False) -> str:
        """Writes a failed launch, "" where enough are written; others wait for the result of the test."""
        found = [one for report in self._found for one in loud(report.findings)]
        if not raised and not found:
            self._test.last.append((launch, settings.current()))
            return ""
        if len(self._test.written) >= MOST_OF_A_TEST:
            self.left_out += 1
            return ""
        return self._write(launch, settings.current(), ", ".join(sorted({one.code for one in found})) or "it raised", found)

    def _write(self, launch: capsule_writer.Launch, options: settings.Options, why: str = "", found: Sequence[Finding] = ()) -> str:
        if self.kept >= MOST or self.bytes >= MOST_BYTES:
            self.left_out += 1
            return ""
        plain = re.sub(r"[^A-Za-z0-9_.]", "_", launch.kernel)[:_MOST_NAME]
        path = os.path.join(self.path, f"{self._test.stem}-{len(self._test.written)}-{plain}.capsule")
        self.bytes += capsule_writer.write(path, launch)
        self.kept += 1
        command = replaying.command(path, options, found)
        self._test.written.append((path, f"{launch.kernel} ({why})\nreplay: {command}" if why else f"replay: {command}"))
        return path

    # ---- as a plugin ----

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        plain = re.sub(r"[^A-Za-z0-9_.]", "_", item.nodeid)[-_MOST_NAME:]
        self._test = _Test(f"{plain}-{zlib.crc32(item.nodeid.encode()):08x}")
        for stale in glob.glob(os.path.join(glob.escape(self.path), f"{self._test.stem}-*.capsule")):
            os.unlink(stale)
        try:
            return (yield)
        finally:
            if not self._test.has_failed:
                self._forget()
            self._test = _Test()

    def _forget(self) -> None:
        """Removes the launches of a passed test."""
        for path, _ in self._test.written:
            self.bytes -= os.path.getsize(path)
            self.kept -= 1
            os.unlink(path)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.failed and not self._test.has_failed:
            self._test.has_failed = True
            if text := self._told():
                report.sections.append(("lockstep capsules", text))
        return report

    def _told(self) -> str:
        head = ""
        if not self._test.written and self._test.last:
            head = "none of its launches went wrong by itself; the last:\n"
            try:
                for launch, options in self._test.last:
                    self._write(launch, options)
            except OSError as error:
                self.skipped[f"{self.path}: {error.strerror}"] += 1
        text = "\n".join(one for _, one in self._test.written)
        return head + text if text else ""

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = getattr(session.config, "workeroutput", None)  # in a worker of pytest-xdist
        if output is not None:
            output["lockstep_capsules"] = [self.kept, self.left_out, dict(self.skipped)]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        kept, left_out, skipped = getattr(node, "workeroutput", {}).get("lockstep_capsules", (0, 0, {}))
        self.kept += kept
        self.left_out += left_out
        self.skipped.update(skipped)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        more = f"; {self.left_out:,} not kept: at most {MOST_OF_A_TEST} a test, {MOST} and 1 GiB a session" if self.left_out else ""
        terminalreporter.write_line(f"lockstep: {self.kept:,} capsule{'' if self.kept == 1 else 's'} of failing tests in {os.path.relpath(self.path)}{more}")
        for reason, count in sorted(self.skipped.items()):
            terminalreporter.write_line(f"lockstep: no capsule, {count} times: {reason}")
