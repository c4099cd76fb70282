"""lockstep campaign --from-tests "pytest tests/": a campaign of an existing suite, without a TOML.

Runs the suite once and records its launches, writes the TOML that varies the tests and the launches, and runs it. The
TOML and the capsules stay, to be changed and run again."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from lockstep.campaign import heartbeat, run_command, waiting
from lockstep.campaign.command_line import parse
from lockstep.campaign.plan import seconds_of
from lockstep.campaign.problems import UsageError
from lockstep.campaign.sources import tests

_WITH_VALUE = {"--from-tests": "suite", "-o": "output", "--output": "output", "--state": "state", "--jobs": "jobs", "--cases": "cases",
               "--time": "time", "--ray": "ray", "--patience": "patience"}  # fmt: skip
_FLAGS = {"--progress": "progress", "--no-progress": "no-progress", "--write-only": "write-only"}
_MOST_BYTES = 16 << 20  # of a launch's memory: larger ones are not varied

_PLAN = """\
# Made by `lockstep campaign --from-tests`: the tests of a suite and the launches that they make, varied.
[campaign]
name = {name}
[limits]
time = "2min"
memory = "4GiB"

[defaults]
kind = "tests"
checks = "all"
[defaults.tests]
suite = {suite}
folder = {folder}

[[run]]
name = "as they are, in several orders of programs"
[run.axes]
schedule = [0, 1, 2]

[[run]]
name = "other sizes"
sizes = 3

[[run]]
name = "other numbers"
[run.axes]
values = ["zeros", "negative", "ties"]

[[run]]
name = "other layouts"
[run.axes]
layout = ["columns", "reversed"]
"""
_CAPSULES = """
[[run]]
kind = "capsule"
name = "recorded launches"
path = {capsules}
[run.axes]
values = ["recorded", "shuffled"]
num_warps = [1, 8]
lane_order = ["forward", "late-store"]
"""


def main(words: list[str]) -> int:
    """Raises UsageError, PlanError, StateError, Missing."""
    positional, given = parse(words, _WITH_VALUE, _FLAGS)
    if positional or not given.get("suite", "").strip():
        raise UsageError('usage: lockstep campaign --from-tests "pytest tests/" [-o FOLDER] [--write-only] [options of run]')
    folder = Path(given.get("output", "campaign"))
    folder.mkdir(parents=True, exist_ok=True)
    patience = _patience(given)
    recorded = _record(given["suite"], folder / "capsules", patience)
    plan = folder / "campaign.toml"
    plan.write_text(_plan(given["suite"], folder, has_capsules=recorded > 0), encoding="utf-8")
    print(f"{recorded} launches recorded; {plan}")
    if "write-only" in given:
        return 0
    options = [f"--{name}={given[name]}" for name in ("state", "jobs", "cases", "time", "ray") if name in given]
    options += [f"--{name}" for name in ("progress", "no-progress") if name in given.values()]
    return run_command.main(["run", str(plan), *options])


def _pytest_words(suite: str) -> list[str]:
    """pytest's words, with Lockstep switched on."""
    words = tests.words_of(suite)
    return words if any(word.startswith("--lockstep") for word in words) else [*words, "--lockstep"]


def _patience(given: dict[str, str]) -> float:
    if "patience" not in given:
        return waiting.PATIENCE
    seconds = seconds_of(given["patience"])
    if not seconds:
        raise UsageError(f'--patience {given["patience"]} is not a time: 90, "10min"')
    return seconds


def _record(suite: str, folder: Path, patience: float) -> int:
    """Runs the suite once; how many capsules there are then, none of which an earlier run left. A test that fails does not matter
    here; a launch that does not end within `patience` is ended and fails its test, a test that does not is Stuck."""
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="recording-") as scratch:
        fresh, beat = Path(scratch) / "capsules", os.path.join(scratch, "test")
        command = [sys.executable, "-m", "lockstep", "record", "-o", str(fresh), "--first", "1", "--no-outputs", "--max-bytes",
                   str(_MOST_BYTES), "--on", "lockstep", "-m", "pytest", "-p", heartbeat.__name__,
                   f"--lockstep-option=timeout={patience / 2:g}", *_pytest_words(suite), "--lockstep-option=findings=ignore"]  # fmt: skip
        process = subprocess.Popen(command, env=waiting.environment({**os.environ, heartbeat.VARIABLE: beat}))
        try:
            code = waiting.wait(process, waiting.of_file(beat, "recording: waiting for"), patience)
        finally:
            process.kill()
            process.wait()
        if code not in (0, 1) or not heartbeat.has_ended(beat):  # 1, of pytest: tests failed
            raise UsageError(f"{shlex.join(command)} ended with exit code {code}")
        _replace(folder, fresh)
    return len(list(folder.glob("*.capsule")))


def _replace(folder: Path, fresh: Path) -> None:
    """Removes the capsules of an earlier run, which hold its kernels."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob("[0-9]*-*.capsule"):
        old.unlink()
    for one in fresh.glob("*.capsule"):
        one.rename(folder / one.name)


def _plan(suite: str, folder: Path, *, has_capsules: bool) -> str:
    here = os.path.relpath(os.getcwd(), folder)
    values = {"name": suite, "suite": "pytest " + shlex.join(_pytest_words(suite)), "folder": here, "capsules": "capsules"}
    texts = {name: json.dumps(value) for name, value in values.items()}
    return _PLAN.format(**texts) + (_CAPSULES.format(**texts) if has_capsules else "")
