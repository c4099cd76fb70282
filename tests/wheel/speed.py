#!/usr/bin/env python3
"""speed.py WHEEL-PYTHON ORDINARY-PYTHON ORDINARY-PACKAGE: rows of bench/ by a wheel and by the ordinary build, in turn in one run,
each in a process of its own (bench/side.py); prints wheel / ordinary of the shortest times. Both Pythons have torch and triton.
Exit code 1: the outputs' bytes differ."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROWS = ("vector add f32 1 Mi, BLOCK 1024", "softmax f32 1823x781", "layer norm f16 1151x8192", "cumsum f32 8192x1024, a row a program", "sort f32 4096x1024")
TURNS, BURST = 15, 0.05


class Side:
    """One process of bench/side.py."""

    def __init__(self, python: str, package: str) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"LOCKSTEP": "1"}
        if package:
            environment["PYTHONPATH"] = package
        self.process = subprocess.Popen([python, ROOT / "bench" / "side.py", "lockstep"], env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip

    def ask(self, **words: object) -> dict:
        """Its answer to one line."""
        print(json.dumps(words), file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline() or '{"error": "the process ended"}')
        if "error" in answer:
            sys.exit(f"{words}: {answer['error']}")
        return answer


def measured(sides: list[Side], row: str, folder: Path) -> tuple[list[float], bool]:
    """The shortest time of each side, and whether both stored the same bytes."""
    saved = []
    for number, side in enumerate(sides):
        side.ask(open=row, tiny=False, limit=0)
        path = folder / str(number) / "outputs"  # the file's name is in the file
        path.parent.mkdir(exist_ok=True)
        side.ask(save=str(path))
        saved.append(path.read_bytes())
    best = [math.inf, math.inf]
    for _ in range(TURNS):
        for number, side in enumerate(sides):
            best[number] = min(best[number], *side.ask(burst=BURST, most=1000)["seconds"])
    return best, saved[0] == saved[1]


def main() -> int:
    wheel, ordinary, package = sys.argv[1:4]
    sides, ratios, same = [Side(wheel, ""), Side(ordinary, package)], [], True
    with tempfile.TemporaryDirectory() as folder:
        for row in ROWS:
            (ours, theirs), equal = measured(sides, row, Path(folder))
            ratios.append(ours / theirs)
            same = same and equal
            print(f"{row}: wheel {ours * 1e3:.3f} ms, ordinary {theirs * 1e3:.3f} ms, ratio {ours / theirs:.2f}, bytes {'equal' if equal else 'DIFFER'}", flush=True)
    print(f"geometric mean of the ratios: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")
    for side in sides:
        side.process.stdin.close()
        side.process.wait()
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
