#!/usr/bin/env python3
"""Faces of `lockstep prove`: SARIF, launches far beyond a condition, conditions of races, offsets that rise.

Usage: test_faces.py LOCKSTEP
"""

import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tools"), str(HERE.parent / "cli")]

from json_schema import Validator  # noqa: E402
import test_prove  # noqa: E402
from check_proof import check  # noqa: E402

SCHEMA = json.loads((HERE.parent / "third_party" / "sarif" / "sarif-schema-2.1.0.json").read_text())
ROWS = ("M", ["x=f32[M,N]:(stride,1)", "out=f32[M,N]", "BLOCK=4"], ["M", "N", "stride"])
RAGGED = ("B", ["x=f32[total,H]", "starts=i32[B+1]", "out=f32[total,H]", "BLOCK=16"], [])
LENGTHS = ("B", ["starts=i32[B+1]", "out=i32[total+1]"], [])


class Faces:
    def __init__(self, lockstep):
        self.lockstep, self.failures = lockstep, []

    def need(self, holds, text):
        if not holds:
            self.failures.append(text)

    def prove(self, kernel, contract, *more):
        return test_prove.prove(self.lockstep, kernel, contract, more)

    def answer(self, kernel, contract, *more):
        return json.loads(self.prove(kernel, contract, "--json", *more)[1])

    def sarif(self, kernel, contract, folder, *more):
        path = Path(folder) / "report.sarif"
        code, text = self.prove(kernel, contract, "--report", f"sarif={path}", *more)
        data = json.loads(path.read_text())
        problems = Validator(SCHEMA).problems(data)
        self.need(not problems, f"{kernel}: SARIF is not valid: {problems[:2]}")
        return code, text, data["runs"][0]

    def check_sarif(self, folder):
        code, _, run = self.sarif("rows", ROWS, folder)
        kinds = [one["kind"] for one in run["results"]]
        self.need(code == 0 and kinds.count("pass") == 1 and kinds.count("informational") == len(kinds) - 1, f"rows: {kinds}")
        result = next(one for one in run["results"] if one["message"]["text"].startswith("(M - 1)*stride"))
        line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
        self.need("tl.load" in (HERE / "kernels.py").read_text().splitlines()[line - 1], f"rows: the condition is at line {line}")
        code, _, run = self.sarif("add_mask_off_by_one", test_prove.VECTOR, folder)
        failed = [one for one in run["results"] if one["kind"] == "fail"]
        self.need(code == 1 and failed and all(one["level"] == "error" for one in failed), "a refutation has kind fail and level error")
        done = subprocess.run([self.lockstep, *shlex.split(failed[0]["properties"]["launch"])[1:]], capture_output=True, text=True, check=False)
        self.need(done.returncode == 1 and failed[0]["properties"]["code"] in done.stdout + done.stderr, "the launch of a SARIF result fails")
        code, _, run = self.sarif("gathered", ("cdiv(n, BLOCK)", ["x=f32[n]", "index=i32[n]", "out=f32[n]", "BLOCK=8"], []), folder)
        self.need(code == 4 and any(one["kind"] == "open" for one in run["results"]), "what is not decided has kind open")
        code, text, = self.prove("rows", ROWS, "--report", "xml=x")
        self.need(code == 2 and "LS1922" in text, "another format is refused")

    def check_far(self):
        """A condition on numbers is exact: the launch beyond it was run, and fails when it is run again."""
        report = self.answer("rows", ROWS)
        far = [one for one in report["conditions"] if "beyond" in one and one["beyond"]["only"]]
        shown = [(one["text"], one["exactly"]) for one in report["conditions"]]
        self.need(any(one["text"] == "(M - 1)*stride <= 2147483647" and one["exactly"] for one in far), f"rows: {shown}")
        for one in far:
            beyond = one["beyond"]
            done = subprocess.run([self.lockstep, *shlex.split(beyond["command"])[1:], "--check", "overflow"], capture_output=True, text=True, check=False)
            codes = {finding["code"] for finding in beyond["findings"]}
            self.need(done.returncode == 1 and any(code in done.stdout + done.stderr for code in codes), f"{beyond['command']}: exit {done.returncode}, announced {codes}")

    def check_conditions_of_races(self, folder):
        contract = ("M", ["x=f32[M,N]", "out=*f32", "stride", "BLOCK=8"], [])
        proof = Path(folder) / "races.proof"
        code, text = self.prove("rows_of_stride", contract, "--properties", "races", "--proof", str(proof))
        self.need(code == 0 and "N <= stride" in text, f"rows_of_stride: exit {code}\n{text}")
        if proof.exists():
            check(proof.read_text())

    def check_rising(self, folder):
        proof = Path(folder) / "ragged.proof"
        code, text = self.prove("ragged", RAGGED, "--assume", "starts rises from 0 to total", "--proof", str(proof))
        self.need(code == 0, f"ragged: exit {code}\n{text}")
        if proof.exists():
            check(proof.read_text())
            data = json.loads(proof.read_text())
            data["contract"]["rising"] = []
            try:
                check(json.dumps(data))
                self.need(False, "ragged: a proof without its assumption is accepted")
            except Exception as refused:  # noqa: BLE001
                self.need(type(refused).__name__ == "Refused", f"ragged: {refused!r}")
        for rows, wanted in (("rises from 0 to total", 0), ("in [0,total]", 4)):
            code, text = self.prove("lengths", LENGTHS, "--assume", f"starts {rows}")
            self.need(code == wanted, f"lengths, starts {rows}: exit {code}\n{text}")


def main():
    faces = Faces(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        faces.check_sarif(folder)
        faces.check_far()
        faces.check_conditions_of_races(folder)
        faces.check_rising(folder)
    print("\n".join(faces.failures))
    print(f"{len(faces.failures)} failures")
    return 1 if faces.failures else 0


if __name__ == "__main__":
    sys.exit(main())
