#!/usr/bin/env python3
"""Kernels that were recorded: how many are proved for all sizes, with a certificate that the checker accepts.

The table of docs/prove.md has the figures of all of them; a sample is held to the same share in every run.
Usage: test_corpus.py LOCKSTEP [all]
"""

import collections
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS.parent / "tools"))

from check_proof import check  # noqa: E402
from proof_checker.algebra import Refused  # noqa: E402

GROUPS = {"launches of packages": TESTS / "differential" / "capsules", "kernels of tests": TESTS / "h200_answers" / "ttir"}
LEAST = 0.75  # with certificate
ANSWERS = {0: "proved", 1: "fails", 4: "not decided"}


def answer_for(lockstep, kernel, proof):
    proof.unlink(missing_ok=True)
    done = subprocess.run([lockstep, "prove", str(kernel), "--proof", str(proof)], capture_output=True, text=True, errors="replace",
                          check=False, timeout=300)
    answer = ANSWERS.get(done.returncode, f"exit {done.returncode}")
    if answer != "proved":
        return answer, done.stdout
    try:
        check(proof.read_text())
        return "with certificate", ""
    except Refused as refused:
        return "proved", str(refused)


def row(name, counts):
    total = sum(counts.values())
    share = f"{100 * counts['with certificate'] // total} %"
    return f"| {name} | {total} | {counts['with certificate']} ({share}) | {counts['proved']} | {counts['not decided']} | {counts['fails']} |"


def main():
    lockstep, is_whole = sys.argv[1], sys.argv[2:] == ["all"]
    failures, everything = [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name, place in GROUPS.items():
            kernels = sorted([*place.glob("*.ttir"), *place.glob("*.capsule")])
            kernels = kernels if is_whole else kernels[3::8]
            counts = collections.Counter()
            for kernel in kernels:
                answer, text = answer_for(lockstep, kernel, Path(folder) / "proof")
                counts[answer] += 1
                if answer != "with certificate":
                    print(f"{kernel.name}: {answer} {' '.join(re.findall(r': ((?:bounds|integers|loop|division): .*)', text)[:2]) or text[:200]}")
                if answer.startswith("exit"):
                    failures.append(f"{kernel.name}: {answer}")
            print(row(name, counts))
            everything.update(counts)
            if is_whole and row(name, counts) not in (TESTS.parent / "docs" / "prove.md").read_text():
                failures.append(f"docs/prove.md has other figures than: {row(name, counts)}")
    if everything["with certificate"] < LEAST * sum(everything.values()):
        failures.append(f"too few are proved: {everything}")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
