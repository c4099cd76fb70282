#!/usr/bin/env python3
"""How many kernels `lockstep prove` decides without a contract: .ttir files and capsules, or folders of them.

A measure, not a test: one line a kernel, then the share that is proved, the median of the times, and the commonest
reasons for the rest. Usage: measure.py LOCKSTEP PATH ...
"""

import collections
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

ANSWERS = {0: "proved", 1: "refuted", 4: "not decided"}


def kernels(paths):
    for path in map(Path, paths):
        yield from sorted(path.rglob("*.ttir")) + sorted(path.rglob("*.capsule")) if path.is_dir() else [path]


def main():
    lockstep, answers, times, reasons = sys.argv[1], collections.Counter(), [], collections.Counter()
    for path in kernels(sys.argv[2:]):
        start = time.monotonic()
        try:
            done = subprocess.run([lockstep, "prove", str(path)], capture_output=True, text=True, errors="replace",
                                  check=False, timeout=120)
            answer = ANSWERS.get(done.returncode, f"exit {done.returncode}")
        except subprocess.TimeoutExpired:
            answer, done = "more than 120 s", None
        times.append(time.monotonic() - start)
        answers[answer] += 1
        found = re.findall(r": (?:bounds|integers|loop|division): (.*)", done.stdout) if done else []
        for reason in {re.sub(r" at \S+| at line \d+", "", one) for one in found}:
            reasons[reason] += 1
        print(f"{answer:12} {times[-1]:7.2f} s  {path.name}", flush=True)
    total = sum(answers.values())
    print(f"{total} kernels, median {statistics.median(times or [0]):.2f} s")
    for answer, count in answers.most_common():
        print(f"{answer:12} {count:4}  {count / total:.0%}")
    for reason, count in reasons.most_common(12):
        print(f"{count:4} kernels: {reason}")


if __name__ == "__main__":
    main()
