#!/usr/bin/env python3
"""Proof files: the checker accepts what the prover writes, and refuses every mutation of it.

A mutation changes a coefficient, a sign, a letter, a step, a claim, what the kernel does, or takes away what is owed.
Usage: test_proofs.py LOCKSTEP [MUTATIONS [FILE FOR AN ACCEPTED ONE]]
"""

import hashlib
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tools")]

import mutations  # noqa: E402
import test_prove  # noqa: E402

SWAPS = [(r"arith\.cmpi slt,", "arith.cmpi sle,"), (r"arith\.addi ", "arith.subi "), (r"arith\.muli ", "arith.addi "),
         (r"arith\.minsi ", "arith.maxsi "), (r"arith\.divsi ", "arith.remsi ")]


def certificates(data):
    """Every [goal, certificate] of the file, with the list that has it."""
    for rows in [data["settled"], data["divisions"], *data["taken"].values()]:
        for row in rows:
            yield rows, row


def leaves(why):
    if "cases" in why:
        for one in why["of"]:
            yield from leaves(one)
    elif "absurd" in why:
        yield from leaves(why["absurd"])
    else:
        yield why


def change_poly(pick, poly):
    """Another polynomial; False: it has no terms."""
    if not poly:
        return False
    term = pick.choice(poly)
    how = pick.randrange(3)
    if how == 0:
        term[0] = int(term[0]) + pick.choice([-1, 1, 7])
    elif how == 1:
        term[0] = -int(term[0])
    elif term[1]:
        term[1] = term[1][1:]
    else:
        poly.remove(term)
    return True


def set_text(data, text):
    """The proof of another kernel."""
    data["ttir"], data["sha256"] = text, hashlib.sha256(text.encode()).hexdigest()
    return True


def mutate(pick, data):
    """Changes the proof in one place; False: not here."""
    kind = pick.randrange(9)
    if kind <= 1:
        return change_poly(pick, pick.choice(data["polys"]))
    rows, row = pick.choice(list(certificates(data)))
    leaf = pick.choice(list(leaves(row[1])))
    steps = [one for one in leaf["steps"] if one[0] != "factor"]
    if kind == 2 and steps:
        step = pick.choice(steps)
        place = pick.choice([2, 4] if "absurd" in json.dumps(row[1]) else [1, 2, 4])  # -1 is s * -1 + s - 1
        step[place] = (int(step[place]) + 1) if place != 4 else (step[4] + 1) % len(data["polys"])
        return True
    if kind == 3 and leaf["steps"]:
        leaf["steps"].remove(pick.choice(leaf["steps"]))
        return True
    if kind == 4 and data["settled"]:  # what is owed, also where a form rests on the same; of what forms rest on, some may be missing
        goal = pick.choice(data["settled"])[0]
        for each in (data["settled"], *data["taken"].values()):
            each[:] = [one for one in each if one[0] != goal]
        return True
    if kind == 5:
        row[0] = (row[0] + 1 + pick.randrange(len(data["polys"]) - 1)) % len(data["polys"])
        return True
    if kind == 6 and data["conditions"]:
        which = pick.choice(data["conditions"])
        if pick.randrange(2):
            data["conditions"].remove(which)
            return True
        return change_poly(pick, which[0])
    if kind == 7:
        atom = pick.choice([one for one in data["atoms"] if one[1] in ("quotient", "remainder", "minimum", "maximum", "lane")] or [None])
        if atom is None:
            return False
        if atom[1] == "lane":
            atom[3] += 1
        elif pick.randrange(2):
            other = {"quotient": "remainder", "remainder": "quotient", "minimum": "maximum", "maximum": "minimum"}
            atom[1] = other[atom[1]]
        else:
            return change_poly(pick, atom[2])
        return True
    if kind == 8:
        pattern, text = pick.choice(SWAPS)
        found = list(re.finditer(pattern, data["ttir"]))
        if not found:
            return False
        at = pick.choice(found)
        return set_text(data, data["ttir"][:at.start()] + text + data["ttir"][at.end():])
    return False


def main():
    lockstep, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300
    failures, proofs, pick = [], [], random.Random(30)
    with tempfile.TemporaryDirectory() as folder:
        for number, (kernel, contract, answer, _) in enumerate(test_prove.CASES):
            path = Path(folder) / f"{kernel}{number}.proof"
            test_prove.prove(lockstep, kernel, contract, ["--proof", str(path)])
            if (answer == test_prove.PROVED) != path.exists():
                failures.append(f"{kernel}: a proof is {'missing' if answer == test_prove.PROVED else 'there'}")
            # A change makes no wrong proof of a hypothesis that the proof does not use, nor of a block pointer's sum with 0.
            if path.exists() and "--where" not in contract[1] and kernel != "row_blocks":
                proofs.append((kernel, path.read_text()))
    return mutations.judged("", failures, proofs, mutate, pick, wanted, kept=Path(sys.argv[3]) if len(sys.argv) > 3 else None) or int(not proofs)


if __name__ == "__main__":
    sys.exit(main())
