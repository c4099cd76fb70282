"""python -m lockstep record and python -m lockstep diff: a program's launches as capsules; and replayed, in one table.

`record` runs the program as Python would, with lockstep.record() around it: on the GPU where there is one, else on
Lockstep with "cuda" meaning the CPU. `diff` records into a folder and has `lockstep replay` judge each launch. The exit
code of `record` is the program's; of `diff` 1 where a launch is outside of what is legal, then the program's. Needs
nothing of Lockstep's engine on a GPU machine but, for `diff`, the command `lockstep`."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

USAGE = """\
usage: python -m lockstep record [options] (SCRIPT.py | FOLDER | - | -m MODULE | -c CODE) [arguments of the program]
       python -m lockstep diff   [options] (SCRIPT.py | FOLDER | - | -m MODULE | -c CODE) [arguments of the program]

record writes every launch of a Triton kernel as a capsule that `lockstep replay` runs and judges without a GPU.
diff does both and prints a table: kernel, launches, how many are inside of what is legal, the largest distance.

options:
  -o, --output PLACE     a folder (default: capsules; diff: one that is removed again), or a name that ends in .capsule
  --kernels REGEX        only kernels whose name contains this
  --first N              so many launches of each compiled kernel (diff: 1 by default)
  --limit N              so many launches altogether
  --max-bytes N          leave out launches whose arguments lie in more memory (default 268435456)
  --no-outputs           without what the launch stored (record)
  --on gpu|lockstep      where the kernels run (default: the GPU, if there is one)
  --lockstep PATH        the command that replays (diff; default: LOCKSTEP_COMMAND, or lockstep on PATH)
  --help
"""

_NUMBERS = {"--first": "first", "--limit": "limit", "--max-bytes": "max_bytes"}
_GPU_FILES = ("/dev/nvidiactl", "/dev/nvidia[0-9]*", "/dev/dxg")


class UsageError(Exception):
    """The command line cannot be understood."""


@dataclass
class Options:
    """The options of the command line; `program` is the rest after our options."""

    output: str = ""
    recording: dict[str, Any] = field(default_factory=dict)  # of lockstep.record
    on: str = ""
    command: str = ""
    wants_help: bool = False
    program: list[str] = field(default_factory=list)


def parse(words: list[str]) -> Options:
    """Raises UsageError."""
    options = Options()
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] not in ("-", "-m", "-c"):
        name, equals, value = rest.pop(0).partition("=")
        if name in ("-h", "--help"):
            options.wants_help = True
            return options
        if name == "--no-outputs":
            options.recording["outputs"] = False
            continue
        if name not in ("-o", "--output", "--kernels", "--on", "--lockstep", *_NUMBERS):
            raise UsageError(f"unknown option {name}")
        if not equals and not rest:
            raise UsageError(f"{name} needs a value")
        _take(options, name, value if equals else rest.pop(0))
    if not rest:
        raise UsageError("no program given")
    options.program = rest
    return options


def _take(options: Options, name: str, value: str) -> None:
    if name in _NUMBERS:
        if not value.isdigit() or int(value) == 0:
            raise UsageError(f"{name} {value} is not a number from 1 on")
        options.recording[_NUMBERS[name]] = int(value)
    elif name == "--kernels":
        options.recording["kernels"] = value
    elif name == "--on":
        if value not in ("gpu", "lockstep"):
            raise UsageError(f"--on {value} is neither gpu nor lockstep")
        options.on = value
    elif name == "--lockstep":
        options.command = value
    else:
        options.output = value


def _has_gpu() -> bool:
    return any(glob.glob(pattern) for pattern in _GPU_FILES)


def _prepare(options: Options) -> None:
    """The environment of the program. Inductor's own launcher would bypass the recorder."""
    os.environ["TORCHINDUCTOR_USE_STATIC_CUDA_LAUNCHER"] = "0"
    if (options.on or ("gpu" if _has_gpu() else "lockstep")) == "gpu":
        os.environ["LOCKSTEP"] = "0"
        return
    from lockstep.pretend import arrival

    os.environ.update(arrival.environment(os.environ, pretend=True))
    arrival.prepare(pretend=True)


def _recorded(options: Options, folder: str, run: Callable[[list[str]], int]) -> tuple[int, Any]:
    """Runs the program inside lockstep.record(); returns its exit code, and the recorder."""
    from lockstep.errors import LaunchError
    from lockstep.recording import record

    _prepare(options)
    try:
        recorder = record(folder, **options.recording)
    except re.error as error:
        raise UsageError(f"--kernels: {error}") from None
    code: Any = 0
    with contextlib.ExitStack() as stack:
        try:
            stack.callback(_say, recorder, folder)  # also of a program that ends with an exception
            stack.enter_context(recorder)
        except LaunchError as error:
            stack.pop_all()
            raise UsageError(str(error)) from None
        try:
            code = run(options.program)
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else int(error.code is not None)
    return code, recorder


def _say(recorder: Any, place: str) -> None:
    print(f"lockstep: {len(recorder.written)} of {recorder.launches} launches recorded in {place}", file=sys.stderr)
    for reason, count in sorted(recorder.skipped.items()):
        print(f"lockstep: left out, {count} times: {reason}", file=sys.stderr)


def record_program(words: list[str], run: Callable[[list[str]], int]) -> int:
    """`python -m lockstep record`. `run` runs a command line's program. Raises UsageError."""
    options = parse(words)
    if options.wants_help:
        print(USAGE, end="")
        return 0
    return _recorded(options, options.output or "capsules", run)[0]


# ---- diff ----


def _command(options: Options) -> str:
    found = options.command or os.environ.get("LOCKSTEP_COMMAND") or shutil.which("lockstep")
    if not found or shutil.which(found) is None:
        raise UsageError("the command lockstep is not on PATH: name it with --lockstep PATH")
    return found


def judge(command: str, capsules: list[str]) -> Iterable[dict[str, Any]]:
    """The answer of `lockstep replay --json` for each capsule; {"capsule", "problem"} where it has none."""
    for path in capsules:
        done = subprocess.run([command, "replay", "--json", path], capture_output=True, text=True, check=False)
        try:
            yield json.loads(done.stdout)
        except json.JSONDecodeError:
            yield {"capsule": path, "problem": done.stderr.strip() or f"lockstep replay ended with {done.returncode}"}


@dataclass
class Row:
    """One kernel of the table."""

    launches: int = 0
    inside: int = 0
    unbounded: int = 0  # launches with elements that no bound holds
    findings: int = 0
    problems: int = 0
    worst_ulp: float = 0.0
    widest: float = 0.0

    def add(self, said: dict[str, Any]) -> None:
        self.launches += 1
        judgement = said.get("judgement")
        if judgement is None:
            self.problems += 1
            return
        written = [one for one in judgement["tensors"] if one["written"]]
        self.inside += judgement["inside"]
        self.findings += bool(judgement["findings"])
        self.unbounded += any(one["unbounded"] for one in written)
        for one in written:
            self.worst_ulp = max(self.worst_ulp, _number(one["distances"]["max_ulp"]))
            self.widest = max(self.widest, _number(one["widths"]["median_ulp"]))


def _number(value: float | None) -> float:
    return float("inf") if value is None else value


def table(rows: dict[str, Row]) -> str:
    """For people."""
    lines = [f"{'kernel':40} {'launches':>8} {'inside':>7} {'findings':>8} {'unbounded':>9} {'worst ULP':>10} {'width':>9}"]
    for name, row in sorted(rows.items()):
        lines.append(f"{name[:40]:40} {row.launches:8} {row.inside:7} {row.findings:8} {row.unbounded:9} "
                     f"{row.worst_ulp:10.3g} {row.widest:9.3g}")  # fmt: skip
    return "\n".join(lines)


def diff_program(words: list[str], run: Callable[[list[str]], int]) -> int:
    """`python -m lockstep diff`. Raises UsageError."""
    options = parse(words)
    if options.wants_help:
        print(USAGE, end="")
        return 0
    command = _command(options)
    options.recording.setdefault("first", 1)
    options.recording["outputs"] = True
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.output or scratch
        code, recorder = _recorded(options, folder, run)
        rows: dict[str, Row] = {}
        problems = []
        for path, said in zip(recorder.written, judge(command, recorder.written), strict=True):
            name = said.get("kernel") or os.path.basename(path)
            rows.setdefault(name, Row()).add(said)
            if "problem" in said:
                problems.append(f"{path}: {said['problem']}")
    print(table(rows))
    print("\n".join(problems), end="\n" if problems else "")
    is_good = all(row.inside == row.launches for row in rows.values())
    return code if is_good or code else 1
