"""`pytest --lockstep-prove`: what holds at every size of the kernels that tests launch.

Each compiled kernel is proved once a session, by `lockstep prove` of its TTIR, with any sizes and any grid. A test fails if one of
its launches does not meet a condition beyond which launches fail ([exactly]), or if the kernel is refuted. A launch that raised
has said so itself. What is not decided fails nothing; the summary lists it with the reason."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
from collections.abc import Generator, Mapping
from typing import Any

import pytest

from lockstep import capsule_writer, proving, recording

MOST_MEMORY = 64 << 20  # bytes that a launch's arguments lie in; larger launches are not looked at
_MOST_SHOWN = 12  # conditions of a kernel
_BYTES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8}


class Proofs(recording.record):
    """The plugin object of a session; also the recorder of its launches."""

    def __init__(self, command: str) -> None:
        super().__init__(os.curdir, max_bytes=MOST_MEMORY, outputs=False)
        self._command = command
        self.reports: dict[str, dict[str, Any]] = {}  # by hash of the TTIR
        self._problems: list[str] = []  # of the running test

    def keep(self, kernel: Any, launch: capsule_writer.Launch, raised: bool = False) -> str:
        key = hashlib.sha256(launch.ttir.encode()).hexdigest()
        if key not in self.reports:
            self.reports[key] = _proved(self._command, launch)
        if not raised:  # else its own finding fails the test, or the test expects it
            self._problems += _problems(self.reports[key], launch)
        return ""

    # ---- as a plugin ----

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        __tracebackhide__ = True
        self._problems = []
        yield
        if self._problems:
            item.add_report_section("call", "lockstep prove", "\n".join(dict.fromkeys(self._problems)))
            pytest.fail(self._problems[0], pytrace=False)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = getattr(session.config, "workeroutput", None)  # in a worker of pytest-xdist
        if output is not None:
            output["lockstep_proofs"] = json.dumps(self.reports)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.reports.update(json.loads(getattr(node, "workeroutput", {}).get("lockstep_proofs", "{}")))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        reports = sorted(self.reports.values(), key=lambda one: (one["kernel"], json.dumps(one, sort_keys=True)))
        counts = {answer: sum(one["answer"] == answer for one in reports) for answer in ("holds", "fails", "not decided")}
        terminalreporter.section("lockstep prove")
        for line in dict.fromkeys(line for one in reports for line in _lines(one)):
            terminalreporter.write_line(line)
        parts = [f"{count} {answer}" for answer, count in counts.items() if count]
        terminalreporter.write_line(f"lockstep prove: {len(reports)} kernel{'' if len(reports) == 1 else 's'}: {', '.join(parts) or 'none'}")


def _proved(command: str, launch: capsule_writer.Launch) -> dict[str, Any]:
    """The JSON of `lockstep prove`."""
    with tempfile.TemporaryDirectory(prefix="lockstep-prove-") as folder:
        path = os.path.join(folder, "kernel.ttir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(launch.ttir)
        done = subprocess.run([command, "prove", f"{path}::{launch.kernel}", "--json"], capture_output=True, text=True, check=False)
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:
        reason = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[0]
        return {"kernel": launch.kernel, "answer": "not decided", "conditions": [], "undecided": [{"place": "", "property": "prove", "reason": reason}]}
    return report


def _scope(launch: capsule_writer.Launch) -> dict[str, Any]:
    """The launch's numbers, as expressions of a proof name them."""
    owned: dict[str, int] = {}
    numbers: dict[str, Any] = {f"grid_{axis}": extent for axis, extent in zip("xyz", launch.grid, strict=True)}
    for argument in launch.arguments:
        if argument["kind"] == "scalar" and argument["type"].startswith("i"):
            numbers[argument["name"]] = argument["value"]
        elif argument["kind"] == "pointer":
            storage = launch.storages[argument["storage"]]
            owned[argument["name"]] = (len(storage.before) - argument["offset"]) // _BYTES.get(argument["type"], 1)
    return proving.scope_of({**numbers, **{f"owned_{name}": count for name, count in owned.items()}})


def _problems(report: Mapping[str, Any], launch: capsule_writer.Launch) -> list[str]:
    if report["answer"] == "fails":
        return [f"{report['kernel']} fails: {report['counterexample']['command']}"]
    scope, found = _scope(launch), []
    for one in report["conditions"]:
        expression = one["expression"].replace("grid.", "grid_")
        try:
            meets = not one["exactly"] or bool(eval(expression, scope))  # noqa: S307 (our own text)
        except (NameError, KeyError):  # a number that this launch does not say
            continue
        if not meets:
            found.append(f"{report['kernel']} was launched outside of what it needs: {one['text']} ({one['place']}: {one['reason']})")
    return found


def _lines(report: Mapping[str, Any]) -> list[str]:
    if report["answer"] == "fails":
        return [f"{report['kernel']} fails", f"  {report['counterexample']['command']}"]
    holds = report["answer"] == "holds"
    lines = [f"{report['kernel']} {'holds for all launches' + (' with' if report['conditions'] else '') if holds else 'is not decided'}"]
    lines += [f"  {one['place']}: {one['property']}: {one['reason']}" for one in report["undecided"]]
    conditions = [f"  {one['text']}  {one['place']}{'  [exactly]' if one['exactly'] else ''}" for one in report["conditions"] if holds]
    more = [f"  and {len(conditions) - _MOST_SHOWN} more"] if len(conditions) > _MOST_SHOWN else []
    return lines + conditions[:_MOST_SHOWN] + more
