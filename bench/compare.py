#!/usr/bin/env python3
"""Lockstep against torch's CPU kernels and Triton's own interpreter: one run, one machine, equal inputs, sides in turn.

  PYTHONPATH=build/python python bench/compare.py [--only REGEX] [--write bench/results] [--no-interpreter] [--isa v3]

Each side is a process of its own (side.py) that prepares a row once. A turn gives each side a burst of runs back to
back; the minimum and the median over all turns count. A row counts where the outputs agree with torch's. The exit code
is 1 where a row did not run, differs, or a limit named by --need is missed. A whole run takes about five minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import re
import select
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench"))

import report
import rows
import torch
from rows.work import Row

THREADS = 2
BURST_SECONDS, MOST_IN_BURST = 0.03, 200
OPEN_SECONDS = 150.0  # a side that takes longer to prepare a row is given up for it
INTERPRETER_LIMIT, INTERPRETER_TURNS, SLOW_SECONDS = 4.0, 3, 1.0


class SideFailedError(Exception):
    """A row did not run on a side; the text says why."""


class Side:
    """The process of one side; started when first asked, again after it had to be ended."""

    def __init__(self, name: str, environment: dict[str, str]) -> None:
        self.name, self.environment = name, environment
        self.process: subprocess.Popen[str] | None = None

    def ask(self, seconds: float = OPEN_SECONDS, **words: Any) -> dict[str, Any]:
        """The answer to one line; SideFailedError where it says error, dies or takes longer than `seconds`."""
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, str(ROOT / "bench/side.py"), self.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=None if os.environ.get("BENCH_VERBOSE") else subprocess.DEVNULL, text=True,
                env=os.environ | self.environment,
            )  # fmt: skip
        process = self.process
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(words) + "\n")
        process.stdin.flush()
        if not select.select([process.stdout], [], [], seconds)[0]:
            self.close()
            raise SideFailedError(f"took more than {seconds:.0f} s")
        line = process.stdout.readline()
        if not line:
            self.close()
            raise SideFailedError(f"its process ended with {process.returncode}")
        reply = json.loads(line)
        if "error" in reply:
            raise SideFailedError(reply["error"])
        return reply

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def difference(ours: list[torch.Tensor], theirs: list[torch.Tensor]) -> float:
    """Largest |a - b| of all outputs, each scaled to a largest magnitude of 1; infinite where shapes or NaN differ."""
    worst = 0.0
    for a, b in zip(ours, theirs, strict=True):
        if a.shape != b.shape or not bool((a.isnan() == b.isnan()).all()):
            return float("inf")
        largest = max(float(b.nan_to_num().abs().max()), 1e-30)
        worst = max(worst, float((a - b).nan_to_num().abs().max()) / largest)
    return worst


# Of every side. Beside Lockstep's threads torch's must not spin after small operators: a library's function makes some of those.
SHARED = {"OMP_NUM_THREADS": str(THREADS), "LOCKSTEP_THREADS": str(THREADS), "LOCKSTEP": "1"}
OF_LOCKSTEP = {"OMP_WAIT_POLICY": "passive"}


class Comparison:
    """Measures rows; `sides` by name: lockstep and torch always, interpreter unless left out."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        shared = dict(SHARED)
        if arguments.isa:
            shared["LOCKSTEP_ISA"] = arguments.isa
        if arguments.isa in ("v2", "v3"):
            aten, onednn, mkl = {"v2": ("default", "SSE41", "SSE4_2"), "v3": ("avx2", "AVX2", "AVX2")}[arguments.isa]
            shared |= {"ATEN_CPU_CAPABILITY": aten, "ONEDNN_MAX_CPU_ISA": onednn, "MKL_ENABLE_INSTRUCTIONS": mkl}
        names = ["lockstep", "torch"] + ([] if arguments.no_interpreter else ["interpreter"])
        # torch's threads are faster if they stay on their core (Lockstep's would inherit the main thread's).
        own = {"torch": {"OMP_PROC_BIND": "true"}, "lockstep": OF_LOCKSTEP}
        self.sides = {name: Side(name, shared | own.get(name, {})) for name in names}

    def measure(self, row: Row) -> dict[str, Any]:
        """{"name", "times": {side: [seconds]}, "errors": {side: text}, "difference", "scale"}."""
        result: dict[str, Any] = {"name": row.name, "in_mean": row.in_mean, "torch_words": row.torch_words,
                                  "tags": row.tags, "times": {}, "errors": {}, "scale": 1.0}  # fmt: skip
        for name in self.sides:
            self.open(row, name, result)
        fast = [name for name in ("lockstep", "torch") if name not in result["errors"]]
        turns = 1 if self.arguments.tiny else self.arguments.repeats
        for turn in range(turns):
            asks_interpreter = "interpreter" in result["times"] and turn < self.interpreter_turns(result)
            for name in [*fast, "interpreter"] if asks_interpreter else fast:
                words = {"burst": BURST_SECONDS if name in fast else 0.0, "most": MOST_IN_BURST}
                result["times"].setdefault(name, []).extend(self.sides[name].ask(**words)["seconds"])
        self.check(result)
        if row.name.startswith("matmul f32 ieee") and self.arguments.limits.exists():
            result["eigen"] = self.eigen(row.tiny["n"] if self.arguments.tiny else row.sizes["n"])
        return result

    def eigen(self, n: int) -> float:
        """Shortest seconds of Eigen's product of n x n matrices on as many threads."""
        words = [str(self.arguments.limits), "gemm", str(n), str(THREADS), "0.5"]
        environment = os.environ | {"OMP_PROC_BIND": "true"}
        return float(subprocess.run(words, capture_output=True, text=True, check=True, env=environment).stdout)

    def open(self, row: Row, name: str, result: dict[str, Any]) -> None:
        if name == "interpreter" and row.interpreter:
            result["errors"][name] = row.interpreter
            return
        try:
            reply = self.sides[name].ask(open=row.name, tiny=self.arguments.tiny, limit=INTERPRETER_LIMIT)
        except SideFailedError as error:
            result["errors"][name] = str(error)
            return
        result["times"][name] = []
        result["tolerance"] = reply["tolerance"]
        if name == "interpreter":
            result["scale"] = reply["scale"]
            result["interpreter_first"] = reply["first"]

    def interpreter_turns(self, result: dict[str, Any]) -> int:
        """Slow work is not repeated often: three times, twice where a run takes over a second."""
        return 2 if result["interpreter_first"] > SLOW_SECONDS else INTERPRETER_TURNS

    def check(self, result: dict[str, Any]) -> None:
        """Outputs against torch's; what differs is an error of that side and its times do not count."""
        outputs = {}
        with tempfile.TemporaryDirectory() as folder:
            for name in result["times"]:
                path = f"{folder}/{name}.pt"
                self.sides[name].ask(save=path)
                outputs[name] = torch.load(path)
        if "torch" not in outputs:
            return
        for name in ("lockstep", "interpreter"):
            if not outputs.get(name):  # not run, or only a part of it
                continue
            found = difference(outputs[name], outputs["torch"])
            if name == "lockstep":
                result["difference"] = found
            if not found <= result["tolerance"]:
                result["errors"][name] = f"differs from torch by {found:.2g}"
                del result["times"][name]

    def close(self) -> None:
        for side in self.sides.values():
            side.close()


@contextlib.contextmanager
def locked(path: Path | None) -> Iterator[None]:
    """Holds the file's lock, as flock(1) does; nothing without a path."""
    if path is None:
        yield
        return
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def parse(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="rows whose name matches this regular expression")
    parser.add_argument("--repeats", type=int, default=15, help="turns")
    parser.add_argument("--isa", choices=["v2", "v3", "v4"], help="of Lockstep and, below v4, of torch too")
    parser.add_argument("--no-interpreter", action="store_true")
    parser.add_argument("--tiny", action="store_true", help="every row at a tiny size; its times mean nothing")
    parser.add_argument("--write", type=Path, help="folder for RESULTS.md, results.json, ratios.svg")
    parser.add_argument("--need", default="", help="names of limits that must hold, by commas; all: every one")
    parser.add_argument("--lock", type=Path, help="file to hold, as flock does, while a row is measured")
    parser.add_argument("--limits", type=Path, default=ROOT / "build/lockstep_limits_v4", help="it times Eigen")
    parser.add_argument("--list", action="store_true", help="names of the rows")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    """Measures, prints as it goes, writes what was asked for."""
    arguments = parse(words)
    chosen = [row for row in rows.ROWS if re.search(arguments.only, row.name)]
    if arguments.list:
        print("\n".join(row.name for row in chosen))
        return 0
    facts = report.machine_facts(THREADS, arguments.isa)
    print("\n".join(facts), flush=True)
    comparison, results = Comparison(arguments), []
    try:
        for row in chosen:
            with locked(arguments.lock):
                results.append(comparison.measure(row))
            print(report.line(results[-1]), flush=True)
    finally:
        comparison.close()
    limits = report.limits(results, arguments.isa)
    print("\n".join(report.summary(results, limits)))
    if arguments.write:
        report.write(arguments.write, facts, results, limits)
    wanted = arguments.need.split(",")
    missed = any((limit.name in wanted or "all" in wanted) and not limit.holds for limit in limits)
    broken = any(side in result["errors"] for result in results for side in ("lockstep", "torch"))
    return 1 if missed or broken else 0


if __name__ == "__main__":
    sys.exit(main())
