#!/usr/bin/env python3
"""Promises to the compiler: proofs that the checker accepts, twins that a launch refutes, mutations that are refused.

Usage: test_hints.py LOCKSTEP [MUTATIONS]
"""

import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tools")]

import mutations  # noqa: E402
import test_proofs  # noqa: E402

ONE = ["x=f32[n]", "out=f32[n]", "BLOCK=16"]
GRID = ["--grid", "cdiv(n, BLOCK)"]
ROWS = ["x=f32[M,N]:(stride,1)", "out=f32[M,N]", "BLOCK=64", "--grid", "M", "--where", "N <= 64"]
GROUPS = ["x=f32[16*G]", "out=f32[16*G]", "BLOCK=16", "--grid", "G"]
TILE = ["x=*f32", "out=*f32", "BM=4", "BN=16", "--grid", "cdiv(M, BM), N"]
DATA = ["x=f32[n]", "index=i32[n]", "out=f32[n]", "--grid", "n"]
# kernel, words, exit code, what is printed
CASES = [
    ("aligned", [*ONE, *GRID], 0, "2 hints kept"),
    ("aligned_off_by_one", [*ONE, *GRID], 1, "LS701"),
    ("aligned_beyond", [*ONE, *GRID], 0, "1 hint kept"),
    ("wrapped", [*ONE, "--grid", "n // BLOCK", "--where", "n >= BLOCK"], 0, "2 hints kept"),
    ("wrapped", [*ONE, *GRID], 1, "LS70"),
    ("strided", ROWS, 0, "stride % 8 == 0"),
    ("strided", [*ROWS, "--where", "stride % 8 == 0"], 0, "1 hint kept"),
    ("groups", GROUPS, 4, "no proof was found"),
    ("rows_alike", ["x=*f32", "out=f32[32*G]", "BM=2", "BN=16", "--grid", "G"], 0, "1 hint kept"),
    ("groups_too_large", GROUPS, 1, "LS702"),
    ("tile", TILE, 0, "2 hints kept"),
    ("tile_other_dimension", TILE, 1, "LS702"),
    ("assumed", [*ONE, *GRID], 0, "1 hint kept"),
    ("assumed", [*ONE, "--grid", "n"], 1, "LS703"),
    ("assumed_of_sizes", ROWS, 0, "N <= stride"),
    ("assumed_of_data", DATA, 4, "loaded"),
    ("assumed_of_data", [*DATA, "--assume", "index in [0,n)"], 0, "2 hints kept"),
    ("loaded", [*DATA, "--assume", "index in [0,n)"], 1, "LS701"),
]
# The kernel was specialised for multiples of 16: this is part of the contract. Its twin was not.
SPECIALISED = """module {
  tt.func public @k(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32>, %n: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c4 = arith.constant 4 : i32
    %pid = tt.get_program_id x : i32
    %row = arith.muli %pid, %n {tt.divisibility = dense<16> : tensor<1xi32>} : i32
    %px = tt.addptr %x, %row : !tt.ptr<f32>, i32
    %four = arith.muli %pid, %c4 : i32
    %pa = tt.addptr %x, %four {tt.divisibility = dense<16> : tensor<1xi32>} : !tt.ptr<f32>, i32
    %a = tt.load %px : !tt.ptr<f32>
    %b = tt.load %pa : !tt.ptr<f32>
    %c = arith.addf %a, %b : f32
    %po = tt.addptr %out, %pid : !tt.ptr<f32>, i32
    tt.store %po, %c : !tt.ptr<f32>
    tt.return
  }
}
"""
PLAIN = SPECIALISED.replace("%n: i32 {tt.divisibility = 16 : i32}", "%n: i32")
UNALIGNED = SPECIALISED.replace("%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}", "%x: !tt.ptr<f32>")
# What the address needs is a condition in the kernel's own words, and no multiple hides it: of 1 and 2, stride // 16 is 0.
PICKED = """module {
  tt.func public @k(%x: !tt.ptr<f32>, %index: !tt.ptr<i32>, %out: !tt.ptr<f32>, %stride: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %pid = tt.get_program_id x : i32
    %at = tt.addptr %index, %pid : !tt.ptr<i32>, i32
    %y = tt.load %at : !tt.ptr<i32>
    %pid_1 = arith.extsi %pid : i32 to i64
    %stride_1 = arith.extsi %stride : i32 to i64
    %row = arith.muli %pid_1, %stride_1 : i64
    %px = tt.addptr %x, %row : !tt.ptr<f32>, i64
    %py = tt.addptr %px, %y : !tt.ptr<f32>, i32
    %a = tt.load %py : !tt.ptr<f32>
    %po = tt.addptr %out, %pid : !tt.ptr<f32>, i32
    tt.store %po, %a : !tt.ptr<f32>
    tt.return
  }
}
"""
TEXTS = [(SPECIALISED, [], 0, "2 hints kept"), (PLAIN, [], 0, "n % 16 == 0"), (UNALIGNED, [], 4, "nothing says how x is aligned"),
         (PICKED, ["--assume", "index in [0,end)"], 0, "(grid.x - 1)*stride + end <= elements of x")]


def mutate(pick, data):
    """One change of what is promised or of why it holds; False: not here."""
    kind = pick.randrange(6)
    if kind == 0 and data["multiples"]:
        data["multiples"].remove(pick.choice(data["multiples"]))
    elif kind == 1 and data["multiples"]:
        row = pick.choice(data["multiples"])
        row[2] = (row[2] + 1) % len(data["polys"])
    elif kind == 2 and data["multiples"]:
        row = pick.choice(data["multiples"])
        row[pick.randrange(2)] += 1
    elif kind == 3:
        lines = data["ttir"].splitlines()
        found = [i for i, line in enumerate(lines) if re.search(r"tt\.(divisibility|contiguity|constancy) = dense<|intr\.assume", line)]
        if not found:
            return False
        at = pick.choice(found)
        if "assume" in lines[at]:
            return False
        other = lines[at].replace("tt.contiguity", "tt.constancy") if pick.randrange(2) else lines[at].replace("tt.divisibility", "tt.constancy")
        if other == lines[at] or "tt.constancy = dense<1" in other and "tt.constancy" in lines[at]:
            return False
        lines[at] = other
        return test_proofs.set_text(data, "\n".join(lines) + "\n")
    elif kind == 4:
        return test_proofs.mutate(pick, data)
    else:
        return False
    return True


def prove(lockstep, target, words, path, code, printed):
    """A failure's text, or ""."""
    done = subprocess.run([lockstep, "prove", target, *words, "--properties", "hints", "--proof", str(path)],
                          capture_output=True, text=True, errors="replace", check=False, timeout=120)
    if done.returncode == code and printed in done.stdout and path.exists() == (code == 0):
        return ""
    return f"{target} {words}: exit {done.returncode}, wanted {code} and '{printed}'\n{done.stdout}{done.stderr}"


def main():
    lockstep, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    failures, proofs, pick = [], [], random.Random(32)
    with tempfile.TemporaryDirectory() as folder:
        for number, (kernel, words, code, printed) in enumerate(CASES):
            path = Path(folder) / f"{number}.proof"
            failures.append(prove(lockstep, f"{HERE / 'hinted.py'}::{kernel}", words, path, code, printed))
            if path.exists():
                proofs.append((kernel, path.read_text()))
        for number, (text, words, code, printed) in enumerate(TEXTS):
            path, source = Path(folder) / f"text{number}.proof", Path(folder) / f"{number}.ttir"
            source.write_text(text)
            failures.append(prove(lockstep, str(source), words, path, code, printed))
            if path.exists():
                proofs.append((f"text {number}", path.read_text()))
    failures = [one for one in failures if one]
    return mutations.judged(f"{len(CASES) + len(TEXTS)} cases, ", failures, proofs, mutate, pick, wanted)


if __name__ == "__main__":
    sys.exit(main())
