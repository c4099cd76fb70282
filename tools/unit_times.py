#!/usr/bin/env python3
"""unit_times.py BUILD [--hold SECONDS]: CPU seconds of the translation units that BUILD had to compile, and the ten slowest.

`./dev` notes them (tools/time_unit.sh, by ccache) in BUILD/unit_times.tsv; what came out of the cache is not in it. With --hold:
exit code 1 where their sum is greater. CPU seconds of one machine differ from another's by a factor of up to two.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def read(path: Path) -> dict[str, float]:
    """Object -> user and system seconds of its last compilation."""
    seconds: dict[str, float] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        user, system, unit = line.split("\t")
        seconds[unit] = float(user) + float(system)
    return seconds


def shown(unit: str) -> str:
    room, _, rest = unit.partition(".dir/")
    return f"{Path(room).name}: {rest.removesuffix('.o')}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--hold", type=float, metavar="SECONDS")
    options = parser.parse_args()
    path = options.build / "unit_times.tsv"
    if not path.exists():
        print("nothing was compiled by ./dev here: all came out of the compiler cache, or it was built by other means")
        return 0
    seconds = read(path)
    total = sum(seconds.values())
    print(f"{len(seconds)} units compiled, {total:.0f} CPU seconds; the slowest:")
    for unit, one in sorted(seconds.items(), key=lambda item: -item[1])[:10]:
        print(f"{one:7.1f}  {shown(unit)}")
    if options.hold is not None and total > options.hold:
        print(f"unit_times: {total:.0f} CPU seconds, held to {options.hold:.0f}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
