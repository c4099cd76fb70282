#!/usr/bin/env python3
"""Outputs that are written everywhere: proofs that the checker accepts, twins that a launch refutes, mutations that are refused.

Usage: test_coverage.py LOCKSTEP [MUTATIONS]
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

ONE = ["x=f32[n]", "out=f32[n] out", "BLOCK=8"]
GRID = ["--grid", "cdiv(n, BLOCK)"]
BLOCKS = ["x=f32[M,N]", "out=f32[M,N] out", "BM=4", "BN=2"]
TILES = ["--grid", "cdiv(M, BM), cdiv(N, BN)"]
ROWS = ["x=f32[M,N]:(stride,1)", "out=f32[M,N]:(stride,1) out", "BLOCK=4", "--grid", "M"]
HALVES = ["x=f32[M,8]", "out=f32[M,8] out", "HALF=4", "--grid", "M"]
QUARTERS = ["x=*f32", "out=f32[M,8] out", "B=4", "--grid", "cdiv(M, 8)"]
# kernel, words, exit code, what is printed
CASES = [
    ("add", [*ONE, *GRID], 0, "1 output written"),
    ("add", ONE, 0, "n <= 8*grid.x"),
    ("add", [*ONE, "--grid", "n // BLOCK + 1"], 0, "1 output written"),
    ("add", [*ONE, "--grid", "n // BLOCK", "--where", "n >= BLOCK", "--where", "n % BLOCK == 0"], 0, "1 output written"),
    ("add_without_last", [*ONE, *GRID], 1, "LS203"),
    ("add_with_holes", [*ONE, *GRID], 1, "LS20"),
    ("block", [*BLOCKS, *TILES], 0, "1 output written"),
    ("block_on_diagonal", [*BLOCKS, "--grid", "cdiv(M, BM) + cdiv(N, BN)"], 0, "M <= 4"),
    ("block_on_diagonal", [*BLOCKS, "--grid", "cdiv(M, BM) + cdiv(N, BN)", "--where", "M >= 5"], 1, "LS20"),
    ("block", ["x=*f32", "out=*f32[M,N] out", "BM=4", "BN=2"], 0, "N <= 2*grid.y"),
    ("rows", ROWS, 0, "1 output written"),
    ("rows_from_second", ["x=f32[N]", "out=f32[N] out", "BLOCK=4", "--grid", "1", "M=1", "stride=1"], 1, "LS20"),
    ("whole_row", ["x=f32[M,N]", "out=f32[M,N] out", "BLOCK=8", "--grid", "M"], 0, "N <= 8"),
    ("early", [*ONE, *GRID], 0, "1 output written"),
    ("early_too_early", [*ONE, *GRID], 1, "LS203"),
    ("either_mask", [*ONE, *GRID], 0, "1 output written"),
    ("half_mask", [*ONE, *GRID], 1, "LS20"),
    ("grouped", [*BLOCKS, "--grid", "cdiv(M, BM)*cdiv(N, BN)"], 0, "1 output written"),
    ("grouped_by_rows", [*BLOCKS, "--grid", "cdiv(M, BM)*cdiv(N, BN)"], 1, "LS20"),
    ("persistent", [*ONE, "--grid", "G"], 0, "1 output written"),
    ("halves", HALVES, 0, "1 output written"),
    ("halves", ["x=*f32", "out=*f32[M,8] out", "HALF=4"], 0, "M <= grid.x"),
    ("halves_apart", ["x=*f32", "out=f32[M,9] out", "HALF=4", "--grid", "M"], 1, "LS20"),
    ("half_twice", HALVES, 1, "LS20"),
    ("two_blocks", [*ONE, "--grid", "cdiv(n, 2*BLOCK)"], 0, "1 output written"),
    ("two_blocks", ONE, 0, "n <= 16*grid.x"),
    ("two_blocks_without_last", [*ONE, "--grid", "cdiv(n, 2*BLOCK)", "--where", "n >= 9"], 1, "LS20"),
    ("in_two_branches", [*ONE, *GRID], 0, "1 output written"),
    ("in_two_branches_of_three", [*ONE, *GRID], 0, "cdiv(n, 8) <= 2"),
    ("in_two_branches_of_three", [*ONE, *GRID, "--where", "n >= 17"], 4, "in the way: cdiv(n, 8) <= 2"),
    ("quarters", QUARTERS, 0, "1 output written"),
    ("three_quarters", QUARTERS, 1, "LS20"),
    ("pairs", ["x=f32[n,2]", "out=f32[n,2] out", "BLOCK=8", *GRID], 0, "1 output written"),
    ("pairs_of_three", ["x=f32[n,2]", "out=f32[n,3] out", "BLOCK=8", *GRID], 1, "LS20"),
    ("with_tail", [*ONE, "--grid", "1"], 0, "1 output written"),
    ("without_tail", [*ONE, "--grid", "1", "--where", "n >= 8"], 1, "LS20"),
    ("added", [*ONE, *GRID], 4, "it is only added to"),
    ("where_data_says", ["x=f32[n]", "index=i32[n]", "out=f32[n] out", "--grid", "n", "--assume", "index in [0,n)"], 4, "no store was found to write every element"),
]


def parts(covered):
    """What is said of each part of the elements: [store, point]; and the cases that tell parts apart."""
    if isinstance(covered, list):
        return [covered], []
    found = [parts(one) for one in covered["of"]]
    return sum((one for one, _ in found), []), [covered, *sum((one for _, one in found), [])]


def mutate_cases(pick, data, row, splits):
    """One change of how elements are told apart."""
    if not splits:
        return False
    one = pick.choice(splits)
    kind = pick.randrange(5)
    if kind == 0:
        one["of"].reverse()
    elif kind == 1:
        one["of"].pop(pick.randrange(2))
    elif kind == 2:
        one["split"] = (one["split"] + 1 + pick.randrange(len(data["polys"]) - 1)) % len(data["polys"])
    elif kind == 3:
        one["of"][0], one["of"][1] = one["of"][pick.randrange(2)], one["of"][0]
        one["of"][1] = one["of"][0]
    else:
        row[2] = pick.choice(one["of"])
    return True


def mutate(pick, data):
    """One change of what is said of an output; False: not here."""
    kind = pick.randrange(9)
    row = pick.choice(data["coverings"])
    leaves, splits = parts(row[2])
    leaf = pick.choice(leaves)
    if kind == 0:
        data["coverings"].remove(row)
    elif kind == 1 and leaf[1]:
        leaf[1].remove(pick.choice(leaf[1]))
    elif kind == 2 and leaf[1]:
        one = pick.choice(leaf[1])
        one[1] = (one[1] + 1 + pick.randrange(len(data["polys"]) - 1)) % len(data["polys"])
    elif kind == 3 and len(leaf[1]) > 1:
        one, other = pick.sample(leaf[1], 2)
        one[0], other[0] = other[0], one[0]
    elif kind == 8:
        return mutate_cases(pick, data, row, splits)
    elif kind == 4:
        shape = data["contract"]["outputs"][row[0]][pick.randrange(2)]
        return test_proofs.change_poly(pick, pick.choice(shape))
    elif kind == 5:
        where = pick.choice([row, leaf])
        where[0] = pick.choice(["x", 0, 1])
    elif kind == 6:
        found = list(re.finditer(r"tt\.store (%[\w$.-]+), (%[\w$.-]+), (%[\w$.-]+) : ", data["ttir"]))
        if not found:
            return False
        at = found[0]
        text = f"%never = arith.constant dense<false> : {re.search(r'tensor<[0-9x]*', data['ttir'][at.end():])[0]}xi1>\n"
        return test_proofs.set_text(data, data["ttir"][:at.start()] + text + data["ttir"][at.start():at.start(3)] + "%never" + data["ttir"][at.end(3):])
    else:
        return test_proofs.mutate(pick, data)
    return True


def main():
    lockstep, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    failures, proofs, pick = [], [], random.Random(33)
    with tempfile.TemporaryDirectory() as folder:
        for number, (kernel, words, code, printed) in enumerate(CASES):
            path = Path(folder) / f"{number}.proof"
            done = subprocess.run([lockstep, "prove", f"{HERE / 'written.py'}::{kernel}", *words, "--properties", "coverage", "--proof", str(path)],
                                  capture_output=True, text=True, errors="replace", check=False, timeout=120)
            if done.returncode != code or printed not in done.stdout:
                failures.append(f"{kernel}: exit {done.returncode}, wanted {code} and '{printed}'\n{done.stdout}{done.stderr}")
            if path.exists():
                proofs.append((kernel, path.read_text()))
    return mutations.judged(f"{len(CASES)} cases, ", failures, proofs, mutate, pick, wanted, ("coverings",))


if __name__ == "__main__":
    sys.exit(main())
