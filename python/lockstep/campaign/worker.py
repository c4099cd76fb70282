"""A worker: takes cases as JSON lines on one pipe and answers results on another, one after the other, in one process.

    python -m lockstep.campaign.worker READ WRITE          (file descriptors; pool.py starts it)

The first line is its configuration. What a case prints goes to stdout and stderr, which the pool keeps as the case's log. A case
may end the process: the pool sees that and says so. Results know nothing of the worker, the time or earlier cases."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from lockstep import configuration, errors, report, settings
from lockstep.campaign import code_coverage, references, sources
from lockstep.campaign.case import canonical
from lockstep.campaign.problems import Missing
from lockstep.option_rows import ROWS

_TIER_RANK = {"info": 0, "warning": 1, "error": 2}
_MOST_FINDINGS = 200  # of one case; more are counted in its message
_MEMORY_CODES = ("LS2012", "LS3010")  # of arguments: more than the limit, more than can be had
# : Options of a case that are options of the process while it runs.
_SETTINGS = tuple(row.name for row in ROWS if row.campaign == "option" and row.is_setting)


class Runner:
    """Runs cases in this process."""

    def __init__(self, root: str, scratch: str, *, seconds: float, memory: int, coverage: bool = False) -> None:
        self.context = sources.Context(Path(root), Path(scratch), memory, seconds)
        self.seconds, self.memory, self.coverage = seconds, memory, coverage
        self._prefixes = [os.path.join(os.path.abspath(one), "") for one in [root, *sys.path] if one]

    def run(self, key: str, case: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a case. Never raises for what the case did."""
        outcome, verdict, message = sources.Outcome(), "pass", ""
        with report.reports() as seen:
            try:
                with _limited(self.memory), settings.options(**self.options(case)):
                    outcome = sources.load(case["source"]["kind"]).run(case, self.context)
                    self._hold_against_another(case, outcome, seen)
            except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a case does is its result
                verdict, message = self._judged(error)
        for name, one in code_coverage.of_reports(seen, self._relative).items() if self.coverage else ():
            outcome.coverage.setdefault(name, {}).update(one)
        findings = self._findings(seen)
        if verdict in ("pass", "error") and self._fails(case, findings):
            verdict = "finding"
        if verdict == "pass" and outcome.mismatch:
            verdict, message = "mismatch", self._portable(outcome.mismatch)
        if len(findings) > _MOST_FINDINGS:
            message += f" ({len(findings)} findings, {_MOST_FINDINGS} are kept)"
        result = {"id": key, "verdict": verdict, "findings": kept(findings), "message": message.strip(),
                  "outputs": references.digests(outcome)}  # fmt: skip
        extra = {"coverage": outcome.coverage, "error": outcome.error, "facts": outcome.facts}
        return result | {name: value for name, value in extra.items() if value}

    def _hold_against_another(self, case: Mapping[str, Any], outcome: sources.Outcome, seen: list[Any]) -> None:
        """The references that are another launch of the case: in grid order, or with another version of Triton."""
        reference = references.of(case["reference"])
        options = references.other_options(reference)
        if options is None:
            return
        other = sources.Outcome()
        with settings.unobserved(), report.reports() as others, settings.options(**options), suppress(errors.KernelFault):
            other = sources.load(case["source"]["kind"]).run(case, self.context)
        references.judge_outputs(reference, outcome, other)
        if reference.kind == "triton" and not outcome.mismatch:
            outcome.mismatch = _difference(reference.what, self._findings(seen), self._findings(others))

    def options(self, case: Mapping[str, Any]) -> dict[str, Any]:
        """Lockstep's options while the case runs."""
        given = case["options"]
        defaults = getattr(sources.load(case["source"]["kind"]), "DEFAULTS", {})
        options = defaults | {name: given[name] for name in _SETTINGS if name in given}
        for row in ROWS:
            number = case["schedule"].get(row.campaign_key, 0)
            if row.campaign == "axis" and (number or row.initial is not None):
                options[row.name] = number
        return options | {"check": _checkers(case["checks"]), "threads": 1, "findings": "ignore", "progress": False, "timeout": self.seconds,
                          "max_memory": self.memory, "cover": self.coverage}  # fmt: skip

    def _judged(self, error: BaseException) -> tuple[str, str]:
        """Verdict and message of an exception that a source raised."""
        if isinstance(error, errors.LaunchTimeout):
            return "timeout", "a launch exceeded the case's time"
        if isinstance(error, sources.TimedOut):
            return "timeout", str(error)
        if isinstance(error, MemoryError) or isinstance(error.__cause__, MemoryError):  # LaunchOutOfMemory, too
            return "memory", "the case exceeded its memory"
        if isinstance(error, errors.KernelError):
            return "pass", ""  # its findings say what it is
        if isinstance(error, errors.CompileError):
            needs_memory = any(one.code in _MEMORY_CODES for one in error.diagnostics)
            return "memory" if needs_memory else "refused", self._portable(str(error))
        if isinstance(error, (sources.Refused, Missing, configuration.NoConfiguration)):
            return "refused", self._portable(str(error))
        traceback.print_exc()  # into the log
        return "error", self._portable(f"{type(error).__name__}: {error}")

    def _portable(self, text: str) -> str:
        """The text without the names of this machine's folders."""
        for prefix in self._prefixes:
            text = text.replace(prefix, "")
        return text

    def _relative(self, file: str) -> str:
        return next((file[len(prefix) :] for prefix in self._prefixes if file.startswith(prefix)), file)

    def _findings(self, seen: list[Any]) -> list[dict[str, Any]]:
        """Each once, sorted: the order of launches does not matter."""
        found = {}
        for one in seen:
            for finding in one.findings:
                row = {"code": finding.code, "tier": finding.tier, "file": self._relative(finding.file), "line": finding.line,
                       "kernel": one.kernel, "op": finding.op, "message": self._portable(finding.message + _of_models(finding))}  # fmt: skip
                related = [[message, self._relative(file), line] for message, file, line in finding.notes if file and message.startswith(_OF_MODELS)]
                row |= {"related": related} if related else {}
                found[canonical(row)] = row
        return [found[text] for text in sorted(found)]

    def _fails(self, case: Mapping[str, Any], findings: list[dict[str, Any]]) -> bool:
        least = _TIER_RANK[case["options"].get("fail_on", "error")]
        return any(_TIER_RANK[one["tier"]] >= least for one in findings)


_OF_MODELS = ("of the model: ", "of the kernel's source: ")


def kept(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of so many findings the worst, in their order."""
    worst = sorted(range(len(findings)), key=lambda place: -_TIER_RANK[findings[place]["tier"]])[:_MOST_FINDINGS]
    return [findings[place] for place in sorted(worst)]


def _of_models(finding: Any) -> str:
    """Where the model of a compiled kernel is: "; of the model: embedding (aten.embedding, table): rows = ..., FILE:LINE"."""
    lines = [f"; {message}" + (f", {file}:{line}" if file else "") for message, file, line in finding.notes if message.startswith("of the model: ")]
    return lines[0] if lines else ""


def _difference(version: str, ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> str:
    """What one version of Triton shows and the other does not; "" where they agree."""
    only = [f"{one['code']} at {one['file']}:{one['line']} {where}"
            for some, others, where in ((ours, theirs, f"not with Triton {version}"), (theirs, ours, f"only with Triton {version}"))
            for one in some if one not in others]  # fmt: skip
    return "; ".join(dict.fromkeys(only))


def _checkers(words: list[str]) -> str:
    """As for `lockstep run`: the option's own "default" would turn warnings into errors."""
    if words != ["default"]:
        return ",".join(words)
    from lockstep import _native

    return ",".join(name for name, _, is_on in _native.checkers() if is_on) or "none"


@contextmanager
def _limited(memory: int) -> Iterator[None]:
    """The process may take so much memory on top of what it has: what asks for more gets MemoryError.

    RLIMIT_DATA counts what can be written; RLIMIT_AS would count the address space that the engine only reserves."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = _data_bytes() + memory
    resource.setrlimit(resource.RLIMIT_DATA, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _data_bytes() -> int:
    """Writable memory of this process; 0 where the system does not report it (no /proc: the limit is then an absolute one)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[5]) * resource.getpagesize()
    except OSError:
        return 0


def log_mark(key: str) -> bytes:
    """The end of a case's part of the log."""
    return b"\0" + key.encode() + b"\n"


def _end_with_parent() -> None:
    """Linux ends this process when its parent ends, for any reason; elsewhere the closed pipe does, after the case."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    set_death_signal = 1
    ctypes.CDLL(None, use_errno=True).prctl(set_death_signal, signal.SIGKILL, 0, 0, 0)


def main(words: list[str]) -> int:
    """Runs until the pipe is closed."""
    _end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the driver's
    read, write = (int(word) for word in words)
    with os.fdopen(read, encoding="utf-8") as requests, os.fdopen(write, "w", encoding="utf-8") as answers:
        given = json.loads(requests.readline())
        sys.path[:0] = [folder for folder in given["path"] if folder not in sys.path]
        os.chdir(given["root"])
        runner = Runner(given["root"], given["scratch"], seconds=given["seconds"], memory=given["memory"],
                        coverage=given["coverage"])  # fmt: skip
        settings.current()
        log = os.dup(1)  # whatever the case does to its own
        for line in requests:
            request = json.loads(line)
            start = time.perf_counter()
            result = runner.run(request["id"], request["case"])
            seconds = time.perf_counter() - start
            sys.stdout.flush()
            os.write(log, log_mark(request["id"]))
            answers.write(json.dumps({"id": request["id"], "seconds": round(seconds, 6), "text": canonical(result)}) + "\n")
            answers.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
