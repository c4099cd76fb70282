#!/usr/bin/env python3
"""What a campaign costs beside its cases: cases per second with 1, 2 and 4 workers, and CPU time per case, driver and workers apart.

  PYTHONPATH=build/python python bench/campaign.py [--jobs 1,2,4] [--ms 0,2,10,50] [--seconds 4] [--ray ADDRESS] [--json FILE]

A case launches a small kernel (f32, two programs, checks "default") and then waits so many milliseconds in its reference: waiting
workers share no core, so that the columns show what the driver can feed, not how many cores this machine has. Milliseconds of 0:
the kernel alone. Each row is a process of its own; CPU time is what the system counted for it and for its workers (with Ray: for
the driver only)."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

KERNEL = """
import triton
import triton.language as tl

@triton.jit
def scale(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)
"""
WAITING = """
import time

def wait(x, MS, **_):
    time.sleep(float(MS) / 1000)
    return {"out": x * 2}
"""
PLAN = """
[[run]]
kind = "kernel"
file = "kernel.py"
kernel = "scale"
grid = 2
arguments = {{ x = "randn:f32[{{n}}]", out = "empty:f32[{{n}}]", n = "{{n}}", BLOCK = 512{extra} }}
reference = "{reference}"
[run.axes]
n = {{ from = 1, to = 1000 }}
seed = {{ from = 1, to = {seeds} }}
"""
ONE = """
import json, os, sys
from lockstep.campaign import driver, plan
from lockstep.campaign.state import State

path, jobs, ray, seconds = sys.argv[1], int(sys.argv[2]), sys.argv[3], float(sys.argv[4])
tick = os.sysconf("SC_CLK_TCK")

def used(process):
    words = open(f"/proc/{process}/stat").read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / tick

def all_used():
    return used("self"), sum(map(used, workers.processes() if not ray else ()))

read = plan.read(path)
workers = driver.workers_for(read, jobs, ray)
with State(path + ".db") as state:
    driver.enter(state, read)
    driver.run_with(workers, state, cases=40 * jobs)  # workers start, kernels compile
    before = all_used()
    made = driver.run_with(workers, state, seconds=seconds)
    after = all_used()
workers.close()
print(json.dumps({"cases": made.new, "seconds": made.seconds, "driver": after[0] - before[0], "workers": after[1] - before[1]}))
"""


def measured(milliseconds: float, jobs: int, seconds: float, ray: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "waiting.py").write_text(WAITING)
        needed = 4000 * jobs * seconds if milliseconds == 0 else 1200 / milliseconds * jobs * seconds
        extra, reference = ("", "none") if milliseconds == 0 else (f', MS = "{milliseconds}"', "numpy:waiting:wait")
        kernel = KERNEL if milliseconds == 0 else KERNEL.replace("BLOCK: tl.constexpr", "BLOCK: tl.constexpr, MS: tl.constexpr")
        Path(folder, "kernel.py").write_text(kernel)
        plan = Path(folder, "plan.toml")
        plan.write_text(PLAN.format(extra=extra, reference=reference, seeds=max(1, int(needed / 1000))))
        words = [sys.executable, "-c", ONE, str(plan), str(jobs), ray, str(seconds)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return json.loads(done.stdout.splitlines()[-1]) | {"ms": milliseconds, "jobs": jobs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", default="1,2,4")
    parser.add_argument("--ms", default="0,2,10,50")
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--ray", default="")
    parser.add_argument("--json")
    options = parser.parse_args()
    rows = []
    print("   ms  jobs    cases   cases/s  of ideal  driver ms/case  workers ms/case")
    for milliseconds in map(float, options.ms.split(",")):
        for jobs in map(int, options.jobs.split(",")):
            row = measured(milliseconds, jobs, options.seconds, options.ray)
            rows.append(row)
            rate = row["cases"] / row["seconds"]
            ideal = f"{rate * milliseconds / 1000 / jobs:8.0%}" if milliseconds else "       -"
            each = [1000 * row[name] / max(row["cases"], 1) for name in ("driver", "workers")]
            print(f"{milliseconds:5g} {jobs:5} {row['cases']:8} {rate:9.1f}  {ideal} {each[0]:15.3f} {each[1]:16.3f}", flush=True)
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
