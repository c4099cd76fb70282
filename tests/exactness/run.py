#!/usr/bin/env python3
"""The same bytes and findings for every tuning, thread count and instruction set: run.py small|all.

Records launches (LOCKSTEP_RECORD) of the examples, the zoo and the goldens, with `all` also of tests/ops and the corpora
of the package, then makes each again with the program `exactness` under many settings, once for every instruction set
that the processor has, and compares the hashes of the instruction sets. Random kernels come on top, and then all once more
without and with checkers (`--checks`; with `all` also changed texts of the recorded launches). Nothing here knows what a
kernel computes. Exit code 1: something differs; 77: nothing to compare with.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GOLDENS = ["tests/findings", "tests/founding_reports"] + [
    f"tests/golden/{name}"
    for name in ("expect", "random", "tensors", "orders", "lanes", "lane_variants", "second_run", "undefined_lanes")
]
# random kernels and kernels sampled from the rows: how many of each
COUNTS = {"small": (100, 200), "all": (3000, 3000)}
# the same under checkers, and how many changed texts of each recorded launch
CHECKED = {"small": (90, 60, 0), "all": (3000, 3000, 10)}


def record(options: argparse.Namespace, folder: Path) -> None:
    """Fills `folder` with launches."""
    environment = os.environ | {"LOCKSTEP_RECORD": str(folder), "LOCKSTEP_EXECUTABLE": options.lockstep}
    for launch in json.loads((ROOT / "examples/launches.json").read_text())["launches"]:
        words = [f"{k}={v}" for k, v in (launch["arguments"] | launch["constants"]).items()]
        kernel = f"{launch['file']}::{launch['kernel']}"
        run([options.lockstep, "run", kernel, "--grid", launch["grid"], *words], environment, cwd=ROOT)
    for each in GOLDENS:
        # What --expect does not agree with is not located while launches are recorded.
        differs = each in ("tests/findings", "tests/golden/expect")
        run([options.golden, options.lockstep, str(ROOT), str(ROOT / each)], environment, cwd=ROOT, may_fail=differs)
    if options.which == "all":
        run([str(ROOT / "tests/ops/run.sh"), options.lockstep], environment, may_fail=True)
        if options.staged:
            record_packages(options, environment)


def record_packages(options: argparse.Namespace, environment: dict[str, str]) -> None:
    """The corpora of tests/corpus and the generated launches, as their own tests make them."""
    staged = [str(ROOT / "tests/python_package/run.sh"), options.staged]
    package = environment | {"LOCKSTEP_PACKAGE_PYTHON": sys.executable}
    run([*staged, "0/1", "not campaign", str(ROOT / "tests/corpus"), "-fla"], package, may_fail=True)
    run([*staged, "0/1", "not campaign", str(ROOT / "tests/corpus"), "fla"], package | {"LOCKSTEP_AS": "sm_80"}, may_fail=True)
    run([*staged, "0/1", "not campaign", str(ROOT / "tests/python_package"), "launches"], package, may_fail=True)


def run(words: list[str], environment: dict[str, str], cwd: Path | None = None, may_fail: bool = False) -> None:
    """What fails is other tests' business; without any launch there is nothing to compare."""
    done = subprocess.run(words, env=environment, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != 0 and not may_fail:
        sys.exit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")


def compare(options: argparse.Namespace, launches: Path, scratch: Path) -> bool:
    """True if nothing differs."""
    isas = subprocess.run([options.exactness, "isas"], capture_output=True, text=True, check=True).stdout.split()
    kernels, rows = COUNTS[options.which]
    first = options.seed
    works = {
        "replay": ["replay", str(launches)],
        "random": ["random", str(first), str(kernels)],
        "rows": ["rows", str(first), str(rows)],
    }
    is_good = True
    for name, words in works.items():
        hashes = {}
        for isa in isas:
            path = scratch / f"{name}.{isa}"
            more = ["--thorough"] if options.which == "all" else ["--plain"] if isa != isas[0] else []
            started = time.monotonic()
            done = subprocess.run(
                [options.exactness, *words, *more, "--hashes", str(path)],
                env=os.environ | {"LOCKSTEP_ISA": isa}, capture_output=True, text=True, check=False,
            )
            print(f"{name} with {isa}, {time.monotonic() - started:.1f} s: {done.stdout.strip()[-4000:]}{done.stderr[-2000:]}")
            is_good &= done.returncode == 0
            hashes[isa] = dict(line.rsplit(" ", 1) for line in path.read_text().splitlines()) if path.exists() else {}
        is_good &= agree(name, hashes)
    return is_good


def check(options: argparse.Namespace, launches: Path) -> bool:
    """True if no checker changes a launch, and nothing that they find depends on threads, repetition or each other."""
    kernels, rows, mutants = CHECKED[options.which]
    first = str(options.seed)
    is_good = True
    for words in (
        ["replay", str(ROOT / "tests/exactness/launches")],  # what changed texts found once
        ["replay", str(launches), "--mutate", str(mutants), "--seed", first],
        ["random", first, str(kernels)],
        ["rows", first, str(rows)],
    ):
        started = time.monotonic()
        done = subprocess.run([options.exactness, *words, "--checks"], capture_output=True, text=True, check=False)
        print(f"{words[0]} with checkers, {time.monotonic() - started:.1f} s: {done.stdout.strip()[-4000:]}{done.stderr[-2000:]}")
        is_good &= done.returncode == 0
    return is_good


def agree(name: str, hashes: dict[str, dict[str, str]]) -> bool:
    """Says which launches differ between instruction sets."""
    first, *others = hashes
    bad = [(isa, key) for isa in others for key in hashes[first] if hashes[isa].get(key) != hashes[first][key]]
    for isa, key in bad[:20]:
        print(f"DIFFERENT {name} {key}: {first} and {isa}")
    print(f"{name}: {len(hashes[first])} launches under {', '.join(hashes)}: {len(bad)} differ")
    return not bad


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=["small", "all"])
    parser.add_argument("--exactness", required=True, help="the program")
    parser.add_argument("--lockstep", required=True)
    parser.add_argument("--golden", required=True, help="golden_runner")
    parser.add_argument("--staged", default="", help="the staged Python package, for the corpora")
    parser.add_argument("--launches", type=Path, help="a folder to keep the recorded launches in; filled where it is empty")
    parser.add_argument("--seed", type=int, default=0, help="of the first random kernel")
    options = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(prefix="lockstep-exactness-"))
    try:
        launches = options.launches or scratch / "launches"
        launches.mkdir(parents=True, exist_ok=True)
        if not any(launches.iterdir()):
            record(options, launches)
        is_good = compare(options, launches, scratch)
        return 0 if check(options, launches) and is_good else 1
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    sys.exit(main())
