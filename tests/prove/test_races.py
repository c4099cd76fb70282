#!/usr/bin/env python3
"""Programs and lanes that never meet: proofs that the checker accepts, twins that a launch refutes, mutations that are refused.

Usage: test_races.py LOCKSTEP [MUTATIONS]
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tools")]

import mutations  # noqa: E402

HEADS = ["x=*f32", "out=*f32", "T", "H=3", "D=4", "BLOCK=8"]
# kernel, words, exit code, a condition or code that is printed
CASES = [
    ("add", ["x=f32[n]", "y=f32[n]", "out=f32[n]", "BLOCK=8"], 0, ""),
    ("heads", HEADS, 0, ""),
    ("heads_too_close", [*HEADS, "--grid", "cdiv(T, BLOCK), B*H"], 1, "LS301"),
    ("flat_rows", ["x=f32[n]", "out=*f32", "width", "stride", "BLOCK=8"], 0, "<= stride"),
    ("lone", ["x=f32[n]", "out=f32[1]", "BLOCK=8"], 0, "grid.x <= 1"),
    ("tiles", ["out=f32[M,N]:(stride,1)", "BM=4", "BN=8", "--grid", "cdiv(M, BM)*cdiv(N, BN)"], 0, "N <= stride"),
    ("tiles_of_two_widths", ["out=f32[M,N]:(stride,1)", "BM=4", "BN=8", "--grid", "cdiv(M, BM)*cdiv(N, BN)"], 1, "LS301"),
    ("row_blocks", ["x=f32[M,N]", "out=f32[M,N]", "BM=4", "BN=8"], 0, ""),
    ("described", ["x=f32[M,N]", "out=f32[M,N]", "BM=4", "BN=8"], 0, ""),
    ("planes", ["out=*f32", "plane", "row", "M=64", "BLOCK=512"], 0, "63*row + 512 <= plane"),
    ("planes", ["out=*f32", "plane", "row", "M=64", "BLOCK=512", "--where", "row*row >= 90000*plane"], 4, "in the way: 63*row + 512 <= plane"),
    ("rows_of_stride", ["x=*f32", "out=*f32", "M", "N", "stride", "BLOCK=8"], 0, "N <= stride"),
]


def leaves(tree):
    """The dictionaries that have a leaf, and its key."""
    if isinstance(tree, dict) and "split" in tree:
        for i, one in enumerate(tree["of"]):
            if isinstance(one, dict) and "split" in one:
                yield from leaves(one)
            else:
                yield tree["of"], i


def mutate(pick, data):
    """One change of what is said of a pair; False: not here."""
    pair = pick.choice(data["pairs"])
    found = list(leaves(pair[3]))
    kind = pick.randrange(6)
    if kind == 0:
        data["pairs"].remove(pair)
        return True
    if not found:
        return False
    where, at = pick.choice(found)
    leaf = where[at]
    if kind == 1 and leaf != "same":
        where[at] = "same"
        return True
    if not isinstance(leaf, dict):
        where[at] = {"forward": {"steps": [], "rest": 0}}
        return True
    (name, why), = leaf.items()
    if kind == 2:
        del where[at]
        return True
    if kind == 3 and ("absurd" in why or data["kernel"] == "lone"):  # the same goal in either direction
        return False
    if kind == 3 and name in ("forward", "backward"):
        where[at] = {"backward" if name == "forward" else "forward": why}
        return True
    if kind == 4 and name == "same":
        why.pop(pick.randrange(len(why)))
        return True
    certificates = [why] if name != "same" else [one for row in why for one in row[1:]]
    certificate = pick.choice(certificates)
    certificate = certificate.get("absurd", certificate)
    if not certificate["steps"]:
        certificate["rest"] = (certificate["rest"] + 1) % len(data["polys"])
        return True
    step = pick.choice(certificate["steps"])
    if step[0] == "factor" or pick.randrange(2):
        certificate["steps"].remove(step)
    else:
        step[2] = int(step[2]) + 1
    return True


def main():
    lockstep, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    failures, proofs, pick = [], [], random.Random(31)
    with tempfile.TemporaryDirectory() as folder:
        for number, (kernel, words, code, printed) in enumerate(CASES):
            path = Path(folder) / f"{number}.proof"
            done = subprocess.run([lockstep, "prove", f"{HERE / 'kernels.py'}::{kernel}", *words, "--properties", "races,lanes", "--proof", str(path)],
                                  capture_output=True, text=True, errors="replace", check=False, timeout=120)
            if done.returncode != code or printed not in done.stdout:
                failures.append(f"{kernel}: exit {done.returncode}, wanted {code} and '{printed}'\n{done.stdout}{done.stderr}")
            if path.exists():
                proofs.append((kernel, path.read_text()))
    return mutations.judged(f"{len(CASES)} kernels, ", failures, proofs, mutate, pick, wanted, ("pairs",))


if __name__ == "__main__":
    sys.exit(main())
