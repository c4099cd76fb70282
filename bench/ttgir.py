#!/usr/bin/env python3
"""What TTGIR costs: the rows of compare.py as Triton's passes make them for a GPU, against their TTIR, in one run, in turn.

  PYTHONPATH=build/python python bench/ttgir.py [--as sm_90] [--only REGEX] [--repeats 5] [--tiny] [--most 3]

Each side is a process of its own (LOCKSTEP_STAGE). Of each row: the shortest time of TTGIR over that of TTIR; then the
geometric mean. The exit code is 1 where the mean is over --most; rows that TTGIR refuses are listed with the reason.
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
from checks import ENVIRONMENT, add_row_options, measure
from compare import Side, SideFailedError


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--as", dest="target", default="sm_90", help="the GPU that Triton compiles for")
    add_row_options(parser)
    parser.add_argument("--most", type=float, default=math.inf, help="the geometric mean of all rows")
    arguments = parser.parse_args()
    shared = ENVIRONMENT | {"LOCKSTEP_AS": arguments.target}
    stages = ("ttir", "ttgir")
    sides = {stage: Side("lockstep", shared | {"LOCKSTEP_STAGE": stage}) for stage in stages}
    ratios: list[float] = []
    refused = 0
    for row in rows.ROWS:
        if not re.search(arguments.only, row.name):
            continue
        try:
            times = measure(sides, row.name, arguments.tiny, arguments.repeats)
        except SideFailedError as error:
            print(f"{row.name:40} {str(error).strip().splitlines()[-1][:150]}", flush=True)
            refused += 1
            sides = {stage: Side("lockstep", shared | {"LOCKSTEP_STAGE": stage}) for stage in stages}
            continue
        before, after = (min(times[stage]) for stage in stages)
        ratios.append(after / before)
        print(f"{row.name:40} {before * 1e3:10.3f} ms  {ratios[-1]:6.2f}x", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.inf
    print(f"{len(ratios)} rows, geometric mean {mean:.2f}x, worst {max(ratios, default=math.inf):.2f}x; {refused} did not run")
    return 0 if mean <= arguments.most else 1


if __name__ == "__main__":
    sys.exit(main())
