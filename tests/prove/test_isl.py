#!/usr/bin/env python3
"""`lockstep prove` in a build with isl: what isl alone proves, what it knows to be open, what it leaves to z3.

Such a result is said to be isl's, has no proof file, and is not decided with --certified. A point of a set refutes nothing: only a
launch does. Usage: test_isl.py LOCKSTEP
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

KERNELS = Path(__file__).resolve().parent / "outside.py"
# n: of 2^29 rows and more the distance is no i32.
POSTS, ROWS = ["out=f32[4*n+10]", "n", "BLOCK=4", "--grid", "n", "--where", "n <= 1000000"], ["out=*f32", "n", "BLOCK=4", "--grid", "n", "--properties", "races"]


def prove(lockstep, kernel, *words, isl="on"):
    environment = dict(os.environ, LOCKSTEP_Z3="off", LOCKSTEP_ISL=isl)
    done = subprocess.run([lockstep, "prove", f"{KERNELS}::{kernel}", *words], capture_output=True, text=True, errors="replace", check=False,
                          timeout=300, env=environment)
    return done.returncode, done.stdout + done.stderr


def main():
    lockstep, failures, count = sys.argv[1], [], 0

    def need(got, code, printed, absent=None):
        nonlocal count
        count += 1
        if got[0] != code or not re.search(printed, got[1]) or (absent and absent in got[1]):
            failures.append(f"exit {got[0]}, wanted {code} and '{printed}' without '{absent}'\n{got[1]}")

    version = subprocess.run([lockstep, "--version"], capture_output=True, text=True, check=True).stdout
    need((0, version), 0, r"\nisl: \d+\.\d+\n")
    with tempfile.TemporaryDirectory() as folder:
        proof = Path(folder) / "posts.proof"
        need(prove(lockstep, "signposts", *POSTS, "--proof", str(proof)), 0, r"proved \(isl [\d.]+\): outside.py:\d+  bounds")
        need((int(proof.exists()), ""), 0, "")
    need(prove(lockstep, "signposts", *POSTS, "--certified"), 4, r"only isl [\d.]+ proves it, without a certificate")
    need(prove(lockstep, "signposts", *POSTS, isl="off"), 4, "no proof was found; z3 was not found", "isl")
    need(prove(lockstep, "too_far", *POSTS), 1, "LS104", "proved (isl")
    # Numbers are multiplied: isl does not know, and says nothing of the twin that fails.
    need(prove(lockstep, "triangle", *ROWS), 4, r"isl [\d.]+ does not know, because numbers are multiplied; z3 was not found")
    need(prove(lockstep, "arch", *ROWS), 1, "LS301", "proved (isl")
    by = json.loads(prove(lockstep, "signposts", *POSTS, "--json")[1])["uncertified"]
    need((0, " ".join(one["by"] + one["property"] for one in by)), 0, r"^isl [\d.]+integers isl [\d.]+integers isl [\d.]+bounds isl [\d.]+bounds$")
    need(prove(lockstep, "signposts", *POSTS[:-2]), 4, "integers: no proof was found; what is known does not suffice, as isl")
    without_seconds = [re.sub(r"[\d.]+ m?s$", "", prove(lockstep, "signposts", *POSTS)[1], flags=re.MULTILINE) for _ in range(2)]
    need((int(without_seconds[0] != without_seconds[1]), ""), 0, "")
    print("\n".join(failures))
    print(f"{count} checks, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
