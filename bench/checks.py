#!/usr/bin/env python3
"""What checkers cost: the rows of compare.py under several words of the option `check`, in one run, sides in turn.

  PYTHONPATH=build/python python bench/checks.py [--words none,quick,default] [--only REGEX] [--repeats 5] [--most 1.15]

Each word is a process of its own. Of each row: the shortest time and the mean over all launches (the default looks at
some launches more closely than at others, which the shortest does not show), over those of the first word; then the
geometric means of all rows. The exit code is 1 where the last word's mean is over --most, or a row did not run.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench"))

import rows
from compare import BURST_SECONDS, MOST_IN_BURST, THREADS, Side, SideFailedError


def measure(sides: dict[str, Side], name: str, tiny: bool, repeats: int) -> dict[str, list[float]]:
    """Seconds of launches by word."""
    for side in sides.values():
        side.ask(open=name, tiny=tiny)
    times: dict[str, list[float]] = {word: [] for word in sides}
    for _ in range(repeats):
        for word, side in sides.items():
            times[word] += side.ask(burst=BURST_SECONDS, most=MOST_IN_BURST)["seconds"]
    return times


#: Of every side: as many threads as compare.py's, and torch's do not spin beside them.
ENVIRONMENT = {"OMP_NUM_THREADS": str(THREADS), "LOCKSTEP_THREADS": str(THREADS), "LOCKSTEP": "1", "OMP_WAIT_POLICY": "passive"}


def add_row_options(parser: argparse.ArgumentParser) -> None:
    """Which rows, how large and how often."""
    parser.add_argument("--only", default="", help="rows whose name matches this regular expression")
    parser.add_argument("--repeats", type=int, default=5, help="turns")
    parser.add_argument("--tiny", action="store_true", help="every row at a tiny size")


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", default="none,quick,default", help="of the option check, with commas between")
    add_row_options(parser)
    parser.add_argument("--most", type=float, default=math.inf, help="geometric mean of the last word's mean times")
    arguments = parser.parse_args()
    words = arguments.words.split(",")
    sides = {word: Side("lockstep", ENVIRONMENT | {"LOCKSTEP_CHECK": word}) for word in words}
    logs: dict[str, list[tuple[float, float]]] = {word: [] for word in words[1:]}
    failed = 0
    for row in rows.ROWS:
        if not re.search(arguments.only, row.name):
            continue
        try:
            times = measure(sides, row.name, arguments.tiny, arguments.repeats)
        except SideFailedError as error:
            print(f"{row.name:40} {error}", flush=True)
            failed += 1
            continue
        first = times[words[0]]
        parts = []
        for word in words[1:]:
            shortest = min(times[word]) / min(first)
            mean = sum(times[word]) / len(times[word]) / (sum(first) / len(first))
            logs[word].append((math.log(shortest), math.log(mean)))
            parts.append(f"{word} {shortest:.2f} (mean {mean:.2f})")
        print(f"{row.name:40} {min(first) * 1e3:9.3f} ms  {', '.join(parts)}", flush=True)
    for side in sides.values():
        side.close()
    last = 0.0
    for word, pairs in logs.items():
        if not pairs:
            continue
        shortest, mean = (math.exp(sum(each) / len(pairs)) for each in zip(*pairs, strict=True))
        last = mean
        print(f"{len(pairs)} rows, {word} over {words[0]}: {shortest:.3f} of the shortest, {mean:.3f} of the mean times")
    return 1 if failed or last > arguments.most else 0


if __name__ == "__main__":
    sys.exit(main())
