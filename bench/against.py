#!/usr/bin/env python3
"""This build against another one: the guard of a change that must cost nothing.

  python bench/against.py build/python OTHER/build/python [--only REGEX] [--repeats 9] [--most 1.02]

Both run the rows of compare.py in turns, in one run on one machine, and must leave the same bytes. A ratio is the shortest
time of the first over that of the second. The exit code is 1 where bytes differ, a row fails, or the geometric mean of the
ratios is over --most.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import tempfile
from pathlib import Path

import rows
import torch
from compare import BURST_SECONDS, INTERPRETER_LIMIT, MOST_IN_BURST, OF_LOCKSTEP, SHARED, Side, SideFailedError
from rows.work import Row


def side_of(package: Path, cache: str) -> Side:
    """What one build compiled is nothing to the other: each has a cache of its own."""
    return Side("lockstep", SHARED | OF_LOCKSTEP | {"PYTHONPATH": str(package.resolve()), "TRITON_CACHE_DIR": cache})


def measure(row: Row, sides: list[Side], repeats: int) -> tuple[list[float], bool]:
    """Shortest seconds of each side, and whether they left the same bytes."""
    for side in sides:
        side.ask(open=row.name, tiny=False, limit=INTERPRETER_LIMIT)
    times: list[list[float]] = [[] for _ in sides]
    for turn in range(repeats):
        order = list(enumerate(sides))
        for number, side in order if turn % 2 == 0 else reversed(order):
            times[number].extend(side.ask(burst=BURST_SECONDS, most=MOST_IN_BURST)["seconds"])
    outputs = []
    with tempfile.TemporaryDirectory() as folder:
        for number, side in enumerate(sides):
            side.ask(save=f"{folder}/{number}.pt")
            outputs.append(torch.load(f"{folder}/{number}.pt"))
    return [min(one) for one in times], all(is_same(a, b) for a, b in zip(*outputs, strict=True))


def is_same(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Byte for byte: NaNs of one pattern are equal, zeros of two signs are not."""
    return a.dtype == b.dtype and a.shape == b.shape and torch.equal(a.reshape(-1).view(torch.uint8), b.reshape(-1).view(torch.uint8))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("builds", type=Path, nargs=2, help="staged packages: build/python")
    parser.add_argument("--only", default="", help="rows whose name matches this regular expression")
    parser.add_argument("--repeats", type=int, default=9, help="turns")
    parser.add_argument("--most", type=float, default=1.02, help="largest geometric mean that passes")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sides = [side_of(path, f"{folder}/{number}") for number, path in enumerate(arguments.builds)]
        ratios, bad = compare(sides, arguments)
        for side in sides:
            side.close()
    if not ratios:
        print("no row was measured")
        return 1
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"{len(ratios)} rows, geometric mean {mean:.4f}, {bad} failed or with other bytes")
    return 1 if bad or mean > arguments.most else 0


def compare(sides: list[Side], arguments: argparse.Namespace) -> tuple[list[float], int]:
    """Ratios of the rows that ran, and how many failed or left other bytes."""
    ratios, bad = [], 0
    for row in rows.ROWS:
        if not re.search(arguments.only, row.name):
            continue
        try:
            (ours, theirs), same = measure(row, sides, arguments.repeats)
        except SideFailedError as error:
            print(f"{row.name:44} failed: {error}", flush=True)
            bad += 1
            continue
        bad += not same
        ratios.append(ours / theirs)
        print(f"{row.name:44} {1e6 * ours:10.1f} µs {1e6 * theirs:10.1f} µs {ours / theirs:6.3f}{'' if same else '  BYTES DIFFER'}", flush=True)
    return ratios, bad


if __name__ == "__main__":
    sys.exit(main())
