#!/usr/bin/env python3
"""What the debugger costs: the figures of docs/debugging.md.

  debugger.py LOCKSTEP [--repeat N]

- a breakpoint in program 4,000 of 5,000 beside the plain launch (whole processes);
- `rc` from the end of a program of a million steps to its beginning, with a breakpoint whose condition holds nowhere;
- the largest resident memory with --history 64MiB beside that of the plain launch.
Prints the best of N. No packages needed.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STEPS = 1_000_000  # of the long program, at least
COUNTER = '''
import triton
import triton.language as tl


@triton.jit
def count(x, out, turns, N: tl.constexpr):
    lanes = tl.arange(0, N)
    total = tl.zeros([N], tl.float32)
    for i in range(turns):
        total = total * 0.5 + tl.load(x + (i % 64) * N + lanes)
    tl.store(out + lanes, total)
'''


def run(words: list[str]) -> tuple[float, float, str]:
    """Seconds, MiB at most, what was printed."""
    began = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
    assert process.stdout is not None
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{' '.join(words)}\n{text}")
    return seconds, usage.ru_maxrss / 1024, text


def best(words: list[str], repeat: int) -> tuple[float, float, str]:
    return min(run(words) for _ in range(repeat))


def commands(*lines: str) -> list[str]:
    return [word for line in lines for word in ("--command", line)] + ["--batch"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lockstep")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    tool = str(Path(options.lockstep).resolve())
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    launch = ["examples/softmax.py::softmax", "--grid", "rows", "x=randn:f32[5000,781]", "out=empty:f32[5000,781]"]
    launch += ["x_stride=781", "out_stride=781", "rows=5000", "columns=781", "BLOCK=1024"]
    plain, plain_memory, _ = best([tool, "run", *launch], options.repeat)
    start, _, _ = best([tool, "debug", *launch, *commands("p 1")], options.repeat)
    stopped, _, text = best([tool, "debug", *launch, *commands("break op:tt.store if pid[0] == 4000", "c")], options.repeat)
    assert "program (4000,0,0)" in text, text
    print(f"softmax, 5,000 programs of 1,024 lanes: run {plain:.3f} s; debug, nothing done {start:.3f} s; "
          f"to the store of program 4,000 {stopped:.3f} s")  # fmt: skip
    _, memory, text = best([tool, "debug", *launch, "--history", "64MiB",
                            *commands("watch out[4999,780]", "c", "info history", "rc")], 1)  # fmt: skip
    print(f"  watched to the end with --history 64MiB: {memory:.0f} MiB resident, run alone {plain_memory:.0f} MiB")
    print("  " + next(line for line in text.splitlines() if "--history" in line and "MiB of" in line))

    with tempfile.TemporaryDirectory() as folder:
        kernel = Path(folder) / "count.py"
        kernel.write_text(COUNTER)
        for lanes in (1, 128, 1024):
            turns = STEPS // 9 + 1
            launch = [f"{kernel}::count", "--grid", "1", f"x=randn:f32[64,{lanes}]", f"out=empty:f32[{lanes}]"]
            launch += [f"turns={turns}", f"N={lanes}"]
            there, _, text = best([tool, "debug", *launch, *commands("break op:tt.store", "c", "info program")], 2)
            steps = re.findall(r" step (\d+)", text)[-1]
            assert int(steps) >= STEPS, steps
            for what, more in (("", "break 11 if i == -1"), (", no stop to ask", "p 1")):
                back, _, _ = best([tool, "debug", *launch, *commands("break op:tt.store", "c", "delete 1", more, "rc")], 2)
                print(f"rc over {int(steps):,} steps of {lanes} lanes{what}: {back - there:.2f} s (forwards {there:.2f} s)")


if __name__ == "__main__":
    main()
