#!/usr/bin/env python3
"""Rows that programs find by tables: no two programs write one, where each pair is in its table once and offsets rise.

Each premise that is left out is one without which nothing is proved. The checker refuses changed proofs. Random tables that keep
what is assumed are run, and are clean; one with the same pair twice is not.
Usage: test_tables.py LOCKSTEP
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tools")]

import mutations  # noqa: E402
import test_races  # noqa: E402
from check_proof import check  # noqa: E402
from proof_checker.algebra import Refused  # noqa: E402

RISES, COUNTS = "starts rises from 0 to total", "chunks counts chunks of BLOCK in N sequences of starts"
ROWS = ["x=*f32", "starts=i32[N+1]", "chunks=i64[2*C]", "out=*f32", "H=3", "D=4", "BLOCK=8"]
RIGHT, HEADS = "STEP=8", ["--grid", "C, H"]
RAGGED = ["x=*f32", "starts=i32[B+1]", "out=*f32", "H=1", "BLOCK=16", "--grid", "B"]
# kernel, words, assumptions, exit codes, a condition or code that is printed
CASES = [
    ("chunk_rows", [*ROWS, RIGHT, *HEADS], (RISES, COUNTS), (0,), ""),
    ("chunk_rows", ["x=*f32", "starts=*i32", "chunks=*i64", *ROWS[3:], RIGHT], (RISES, COUNTS), (0,), "grid.y <= 3"),
    ("ragged", RAGGED, (RISES,), (0,), ""),
    # Chunks that overlap, a row of the next sequence, two programs with one pair, a table that lists anything, offsets in any order.
    ("chunk_rows", [*ROWS, "STEP=7", *HEADS], (RISES, COUNTS), (4,), "itself in another program"),
    ("chunk_rows", [*ROWS, RIGHT, "MORE=1", *HEADS], (RISES, COUNTS), (1,), "LS301"),
    ("chunk_rows", [*ROWS, RIGHT, "SHARE=2", *HEADS], (RISES, COUNTS), (1,), "LS301"),
    ("chunk_rows", [*ROWS, RIGHT, "--grid", "C, H + 1"], (RISES, COUNTS), (1,), "LS301"),
    ("chunk_rows", [*ROWS, RIGHT, *HEADS], (RISES, "chunks in [0,N)"), (1, 4), ""),
    ("ragged", RAGGED, ("starts in [0,total]",), (1, 4), ""),
]


def refuses(data):
    try:
        check(json.dumps(data))
    except Refused:
        return True
    return False


def without_premises(kernel, text):
    """A line for each proof without a premise that is accepted."""
    failures = []
    for member, change in (("rising", list.clear), ("chunks", dict.clear), ("data", lambda data: data["starts"].__setitem__(1, [[1, []]]))):
        data = json.loads(text)
        if not data["contract"][member]:
            continue
        change(data["contract"][member])
        if not refuses(data):
            failures.append(f"{kernel}: a proof with another '{member}' is accepted")
    return failures


def write_table(path, numbers, kind):
    """As numpy does."""
    head = f"{{'descr': '<{kind}', 'fortran_order': False, 'shape': ({len(numbers)},), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    size = int(kind[1:])
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() + b"".join(one.to_bytes(size, "little") for one in numbers))


def run_rows(lockstep, folder, starts, pairs):
    write_table(folder / "starts.npy", starts, "i4")
    write_table(folder / "chunks.npy", [number for pair in pairs for number in pair], "i8")
    count = starts[-1] * 3 * 4
    command = [lockstep, "run", f"{HERE / 'kernels.py'}::chunk_rows", "--grid", f"{len(pairs)},3", f"x=arange:f32[{count}]", f"out=zeros:f32[{count}]",
               f"starts=@{folder / 'starts.npy'}", f"chunks=@{folder / 'chunks.npy'}", "H=3", "D=4", "BLOCK=8", "STEP=8", "--check", "races"]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=120)


def run_tables(lockstep, folder, pick):
    """A line for each table that is not as it was assumed to be."""
    failures = []
    for _ in range(6):
        lengths = [pick.choice((0, 1, 7, 8, 9, 17)) for _ in range(pick.randrange(1, 5))] + [3]
        starts = [sum(lengths[:i]) for i in range(len(lengths) + 1)]
        pairs = [(s, c) for s, length in enumerate(lengths) for c in range(-(-length // 8))]
        pick.shuffle(pairs)
        done = run_rows(lockstep, folder, starts, pairs)
        if done.returncode != 0:
            failures.append(f"lengths {lengths}, {pairs}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        done = run_rows(lockstep, folder, starts, [*pairs, pairs[0]])
        if "LS301" not in done.stdout + done.stderr:
            failures.append(f"lengths {lengths}, a pair twice: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return failures


def main():
    lockstep, failures, proofs, pick = sys.argv[1], [], [], random.Random(18)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kernel, words, rows, codes, printed in CASES:
            path = folder / "one.proof"
            path.unlink(missing_ok=True)
            assumed = [word for row in rows for word in ("--assume", row)]
            done = subprocess.run([lockstep, "prove", f"{HERE / 'kernels.py'}::{kernel}", *words, *assumed, "--properties", "races,lanes", "--proof", str(path)],
                                  capture_output=True, text=True, errors="replace", check=False, timeout=120)
            if done.returncode not in codes or printed not in done.stdout:
                failures.append(f"{kernel} {words} {rows}: exit {done.returncode}, wanted {codes} and '{printed}'\n{done.stdout}{done.stderr}")
            if path.exists():
                proofs.append((kernel, path.read_text()))
                failures += without_premises(kernel, proofs[-1][1])
        failures += run_tables(lockstep, folder, pick)
    return mutations.judged(f"{len(CASES)} cases, ", failures, proofs, test_races.mutate, pick, 150, ("pairs",))


if __name__ == "__main__":
    sys.exit(main())
