#!/usr/bin/env python3
"""`lockstep prove` with z3, without it, and with children that only say so.

What z3 alone proves is said to be so, has no proof file, and is not decided with --certified. A child's `sat` refutes nothing: only a
launch does. The cases with z3 need one: beside this Python or on PATH.
Usage: test_z3.py LOCKSTEP
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

KERNELS = Path(__file__).resolve().parent / "outside.py"
SKIPPED = 77


class Runs:
    def __init__(self, lockstep, folder):
        self.lockstep, self.folder, self.failures, self.count = lockstep, Path(folder), [], 0

    def prove(self, z3, kernel, *more):
        command = [self.lockstep, "prove", f"{KERNELS}::{kernel}", "out=*f32", "n", "BLOCK=4", "--grid", "n", "--properties", "races", *more]
        environment = dict(os.environ, LOCKSTEP_Z3=z3)
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=300, env=environment)
        return done.returncode, done.stdout + done.stderr

    def need(self, holds, text):
        self.count += 1
        if not holds:
            self.failures.append(text)

    def answers(self, z3, kernel, code, printed, *more):
        got, text = self.prove(z3, kernel, *more)
        self.need(got == code and printed in text, f"{kernel} {more} with {z3}: exit {got}, wanted {code} and '{printed}'\n{text}")
        return text

    def fake(self, name, answer):
        path = self.folder / name
        path.write_text("#!/bin/sh\nwhile read -r line; do case $line in '(get-info :version)') echo '(:version \"9.9\")';;\n"
                        f"'(check-sat)') {answer};;\n'(echo \"lockstep-end\")') echo lockstep-end;;\nesac; done\n")
        path.chmod(0o700)
        return str(path)

    def check_children(self):
        """Without z3, and with children that say what they like."""
        self.answers("off", "triangle", 4, "may touch the bytes of itself in another program; z3 was not found\n")
        self.answers("/nowhere/z3", "triangle", 4, "z3 could not be started: /nowhere/z3")
        for name, answer, reason in (("dies", "exit 1", "z3 ended before it answered"), ("garbage", "echo unsat unsat", "z3 gives no answer that makes sense"),
                                     ("unknown", "echo unknown", "z3 9.9 does not know within")):
            self.answers(self.fake(name, answer), "triangle", 4, reason)
        text = self.answers(self.fake("sat", "echo sat"), "triangle", 4, "what is known does not suffice, as z3 9.9 says")
        self.need("fails" not in text, "sat alone refutes nothing")
        says_all = self.fake("unsat", "echo unsat")
        proof = self.folder / "triangle.proof"
        self.answers(says_all, "triangle", 0, "proved (z3 9.9): ", "--proof", str(proof))
        self.need(not proof.exists(), "what z3 alone proves has no proof file")
        self.answers(says_all, "triangle", 4, "only z3 9.9 proves it, without a certificate", "--certified")
        report = json.loads(self.prove(says_all, "triangle", "--json")[1])
        self.need([(one["by"], one["property"]) for one in report["uncertified"]] == [("z3 9.9", "races")], f"JSON: {report['uncertified']}")
        sarif = self.folder / "triangle.sarif"
        self.prove(says_all, "triangle", "--report", f"sarif={sarif}")
        passed = [one["message"]["text"] for one in json.loads(sarif.read_text())["runs"][0]["results"] if one["kind"] == "pass"]
        self.need("proved by z3 9.9, without a certificate" in passed, f"SARIF: {passed}")

    def check_z3(self, z3):
        first = self.answers(z3, "triangle", 0, "proved (z3 ")
        # The launch that is run, not the model, decides.
        self.answers(z3, "arch", 1, "LS301")
        strip = [line for line in first.splitlines() if not line.startswith("proved: ")]
        again = [line for line in self.prove(z3, "triangle")[1].splitlines() if not line.startswith("proved: ")]
        self.need(strip == again, "two answers differ")


def main():
    beside = Path(os.environ.get("LOCKSTEP_PYTHON") or sys.executable).parent / "z3"
    z3 = str(beside) if beside.exists() else shutil.which("z3")
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(sys.argv[1], folder)
        runs.check_children()
        if z3:
            runs.check_z3(z3)
    print("\n".join(runs.failures))
    print(f"{runs.count} checks, {len(runs.failures)} failures")
    if runs.failures:
        return 1
    if not z3:
        print("skipped: z3 is not installed (the checks that need none passed)")
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
