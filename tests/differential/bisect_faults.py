#!/usr/bin/env python3
"""Whether `lockstep diff --bisect` names the op that was changed: the planted faults of faults/, run on a GPU.

    bisect_faults.py LOCKSTEP [--stand-in] [--every N] [--only SEED ...] [--jobs N] [--verbose]

The GPU runs a changed text of each kernel (--gpu-kernel), the interpreter the unchanged one. --stand-in: the
interpreter plays the GPU, so that no GPU is needed. A fault counts as named if the op that is reported stands on a line
that the change touched, takes an address of one, holds one in its region, or takes what a loop with a changed yield
carries; a loop with changed bounds also if an op of its body is named. A store whose address was changed shows in no
value: there, the report must say that every value lies inside. Exit 1 if fewer than 95 of 100 faults that lie outside
are named, or if a program fails.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import difflib
import json
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "faults"))
import faults

LEAST_NAMED = 0.95
VALUE = re.compile(r"%[\w]+")


def touched_lines(before: list[str], after: list[str]) -> set[int]:
    """Places in the unchanged text that a change touched."""
    touched = set()
    for tag, i, j, _, _ in difflib.SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
        if tag != "equal":
            touched |= set(range(i, j))
    return touched


def result(line: str) -> str:
    matched = re.match(r'\s*(%\w+)(:\d+)? = "?[\w.]+', line)
    return matched[1] if matched else ""


def regions(lines: list[str]) -> dict[int, int]:
    """For each line that opens a region, the line that closes it."""
    closes, stack = {}, []
    for i, line in enumerate(lines):
        if re.match(r"\s*\}", line) and stack:
            closes[stack.pop()] = i
        if re.search(r"\{(\s*loc\(.*\))?$", line) and i > 1:
            stack.append(i)
    return closes


def candidates(before: list[str], after: list[str]) -> tuple[set[str], bool]:
    """What may be named: the results of touched lines, of reductions around them, of what takes their addresses, and of
    what a loop carries around. And whether a store takes one of their addresses."""
    touched = touched_lines(before, after)
    closes = regions(before)
    for start, end in closes.items():
        inside = set(range(start, end + 1))
        if "tt.reduce" in before[start] or "tt.scan" in before[start]:
            touched |= {start} if touched & inside else set()
        elif "scf.for" in before[start] and start in touched:
            touched |= inside
        elif "scf.for" in before[start] and any("scf.yield" in before[i] for i in touched & inside):
            carried = set(re.findall(r"(%\w+) = %", before[start]))  # what it yields comes back here
            touched |= {i for i in inside if i > start and carried & set(VALUE.findall(before[i]))}
    reached = {i for i in touched if i < len(before)}
    while True:  # addresses are not observed: what takes them is
        pointers = {result(before[i]) for i in reached if "!tt.ptr" in before[i] and result(before[i])}
        more = {i for i, line in enumerate(before) if pointers & set(VALUE.findall(line.partition(" = ")[2] or line))}
        if more <= reached:
            break
        reached |= more
    made = {result(before[i]) for i in reached} - {""}
    return made, any("tt.store" in before[i] or "tt.atomic" in before[i] for i in reached)


def verdict(report: dict, before: list[str], after: list[str]) -> tuple[str, str]:
    """How the fault was named, and by what."""
    if report["inside"]:
        return "inside", ""
    named, may_be_store = candidates(before, after)
    programs = report["bisect"]["programs"]
    for program in programs[::-1]:
        program = program.get("without_pipelines") or program
        ops = [found["op"] for found in (program.get("other_path"), program["deviation"]) if found]
        if ops:
            return ("named" if any(result(op) in named for op in ops) else "wrong"), " and ".join(ops)
    if not programs:
        return ("store" if may_be_store else "wrong"), "no program writes the element"
    return ("store" if may_be_store else "wrong"), "every value lies inside"


def attempt(harness: faults.Harness, seed: int, played: list[str]) -> tuple[str, str]:
    """Plants a fault and looks at what is said of it."""
    draw = random.Random(seed)
    launch = draw.choice(harness.launches)
    operator = draw.choice(list(faults.OPERATORS))
    before = harness.text(launch)
    after = faults.OPERATORS[operator](before, draw)
    a, b = harness.folder / f"{seed}.a.ttir", harness.folder / f"{seed}.b.ttir"
    a.write_text("\n".join(before) + "\n")
    b.write_text("\n".join(after) + "\n")
    words = ["diff", str(a), "--gpu-kernel", str(b), *harness.words(launch), "--bisect", "--json", *played]
    try:
        done = harness.call(*words)
        if "{" not in done.stdout:
            return "failed", f"exit {done.returncode}: {done.stdout[-300:]}{done.stderr[-300:]}"
        return verdict(json.loads(done.stdout[done.stdout.index("{") :]), before, after)
    except (ValueError, KeyError, subprocess.TimeoutExpired) as error:
        return "failed", f"{type(error).__name__}: {error}"[:400]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("lockstep")
    parser.add_argument("--stand-in", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", type=int, nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    planted = json.loads((faults.HERE / "faults.json").read_text())
    chosen = [one for one in planted if "not_a_fault" not in one][:: arguments.every]
    if arguments.only:
        chosen = [one for one in planted if one["seed"] in arguments.only]
    counts = Counter()
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        harness = faults.Harness(str(Path(arguments.lockstep).resolve()), Path(name))
        for launch in harness.launches:
            harness.text(launch)
        played = ["--stand-in"] if arguments.triton_stub else []
        for one, (how, op) in zip(chosen, pool.map(lambda one: attempt(harness, one["seed"], played), chosen)):
            counts[how] += 1
            if arguments.verbose or how in ("wrong", "failed"):
                print(f"{one['seed']:4} {one['kernel']}: {one['operator']}: {one['line']}", flush=True)
                print(f"     {how}: {op}", flush=True)
    outside = sum(counts.values()) - counts["inside"]
    named = counts["named"] + counts["store"]
    print(f"bisect: {outside} faults lie outside, {named} named ({counts['store']} by their stores); {dict(counts)}")
    return 1 if counts["failed"] or named < LEAST_NAMED * outside else 0


if __name__ == "__main__":
    sys.exit(main())
