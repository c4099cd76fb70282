#!/usr/bin/env python3
"""How wide enclosures are over recorded launches, in units in the last place (ULP) of each output's type.

  widths.py LOCKSTEP CAPSULE... [--results FILE.jsonl] [--below 100] [--jobs N] [--seconds 60] [--worst 10] [--spread-sums]

CAPSULE: files or folders of them (docs/capsules.md). `lockstep enclose --json` runs on each; FILE keeps one line a launch
and what is in it is not run again. Prints a table by package (the folder) and type of output, the causes of unbounded
elements, and the kernels whose bounds are widest. An output's width is the median over its elements, unbounded ones
counted as infinite; a row's number is the median over outputs. Exit code 1: an enclosure failed, or the median is not below --below. The corpus's
capsules are recorded by tests/corpus/record_capsules.py.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import json
import math
import os
import re
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

USEFUL = 100.0  # ULP
FLOATS = re.compile(r"^(f|bf)\d")

Record = dict[str, Any]


@dataclass(frozen=True)
class Output:
    package: str
    kernel: str
    file: str
    name: str
    type: str
    elements: int
    unbounded: int
    width: float  # median over elements; infinite if half of them are unbounded, or their ends infinite


def enclose(lockstep: str, capsule: Path, seconds: float, words: list[str]) -> Record:
    """What `lockstep enclose` says of one launch, or why it says nothing."""
    record: Record = {"package": capsule.parent.name, "file": capsule.name}
    command = [lockstep, "enclose", str(capsule), "--json", *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return record | {"trouble": f"more than {seconds:g} s"}
    answers = [line for line in done.stdout.splitlines() if line.startswith('{"tensors"')]
    if not answers:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}, silent"]
        return record | {"trouble": lines[0], "code": done.returncode}
    return record | json.loads(answers[-1]) | {"code": done.returncode}


def outputs_of(record: Record) -> list[Output]:
    """The float tensors that the kernel writes."""
    kernel = record["file"].removesuffix(".capsule").partition("-")[2]
    found = []
    for tensor in record.get("tensors", []):
        if not FLOATS.match(tensor["type"]) or tensor["elements"] == 0:
            continue
        is_bounded = 2 * tensor["unbounded"] < tensor["elements"] and tensor["median_ulp"] is not None
        width = float(tensor["median_ulp"]) if is_bounded else math.inf
        found.append(
            Output(record["package"], kernel, record["file"], tensor["name"], tensor["type"], tensor["elements"],
                   tensor["unbounded"], width)
        )
    return found


def number(width: float) -> str:
    if math.isinf(width):
        return "unbounded"
    return f"{width:.0f}" if width < 1000 else f"{width:.1e}".replace("e+0", "e")


def row(name: str, outputs: list[Output]) -> str:
    widths = sorted(output.width for output in outputs)
    narrow = sum(width < USEFUL for width in widths)
    unbounded = sum(math.isinf(width) for width in widths)
    ninth = widths[min(len(widths) - 1, math.ceil(0.9 * len(widths)) - 1)]
    median = number(statistics.median_low(widths))
    share = f"{100 * narrow / len(widths):.0f} %"
    return f"| {name} | {len(widths)} | {median} | {number(ninth)} | {share} | {unbounded} |"


def print_table(outputs: list[Output]) -> None:
    print("| outputs | number | median ULP | 90 % below | under 100 ULP | unbounded |")
    print("|---|---|---|---|---|---|")
    groups: dict[str, list[Output]] = collections.defaultdict(list)
    for output in outputs:
        groups[f"{output.package}, {output.type}"].append(output)
    for name in sorted(groups):
        print(row(name, groups[name]))
    for kind in sorted({output.type for output in outputs}):
        print(row(f"all {kind}", [output for output in outputs if output.type == kind]))
    print(row("all", outputs))


def print_causes(records: list[Record]) -> None:
    """Ops that made something unbounded, by the number of launches."""
    launches: collections.Counter[str] = collections.Counter()
    for record in records:
        launches.update({re.sub(r" at .*/site-packages/", " at ", cause["op"]) for cause in record.get("causes", [])})
    print("\nOps that made elements unbounded, and in how many launches:")
    for op, count in launches.most_common(25):
        print(f"  {count:5} {op}")


def print_worst(outputs: list[Output], count: int) -> None:
    kernels: dict[tuple[str, str, str], list[Output]] = collections.defaultdict(list)
    for output in outputs:
        kernels[output.package, output.kernel, output.type].append(output)
    widest = sorted(kernels.items(), key=lambda item: -statistics.median_low(o.width for o in item[1]))
    print("\nWidest kernels (median over their outputs of that type):")
    for (package, kernel, kind), found in widest[:count]:
        example = max(found, key=lambda output: output.width)
        print(f"  {number(statistics.median_low(o.width for o in found)):>10} {package} {kernel} {kind}: {example.name} of {example.file}")


def print_troubles(records: list[Record]) -> None:
    troubles = collections.Counter(re.sub(r"'[^']*'", "'…'", r["trouble"]) for r in records if "trouble" in r)
    for trouble, count in troubles.most_common():
        print(f"  without an enclosure: {count} {trouble}")


def all_capsules(paths: list[Path]) -> list[Path]:
    found = [sorted(path.rglob("*.capsule")) if path.is_dir() else [path] for path in paths]
    return [capsule for group in found for capsule in group]


def collect(options: argparse.Namespace) -> list[Record]:
    """Runs what the results' file does not have, and appends it there."""
    capsules = all_capsules(options.capsules)
    known: dict[tuple[str, str], Record] = {}
    if options.results and options.results.exists():
        for line in options.results.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            known[record["package"], record["file"]] = record
    missing = [capsule for capsule in capsules if (capsule.parent.name, capsule.name) not in known]
    words = ["--spread-sums"] if options.spread_sums else []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for record in pool.map(lambda capsule: enclose(options.lockstep, capsule, options.seconds, words), missing):
            known[record["package"], record["file"]] = record
            if options.results:
                with options.results.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(record) + "\n")
    return [known[capsule.parent.name, capsule.name] for capsule in capsules]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lockstep")
    parser.add_argument("capsules", nargs="+", type=Path)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--worst", type=int, default=10)
    parser.add_argument("--below", type=float, default=math.inf, help="exit code 1 if the median output is as wide")
    parser.add_argument("--spread-sums", action="store_true")
    options = parser.parse_args()
    records = collect(options)
    outputs = [output for record in records for output in outputs_of(record)]
    print(f"{len(records)} launches, {len(outputs)} float outputs")
    if not outputs:
        return 1
    print_table(outputs)
    print_causes(records)
    print_worst(outputs, options.worst)
    print_troubles(records)
    median = statistics.median_low(output.width for output in outputs)
    if median >= options.below:
        print(f"the median output is {number(median)} ULP wide, and not below {options.below:g}")
    return 1 if median >= options.below or any("trouble" in record for record in records) else 0


if __name__ == "__main__":
    sys.exit(main())
