#!/usr/bin/env python3
"""Faces of `lockstep prove`: SARIF, launches far beyond a condition, conditions of races, offsets that rise.

Usage: test_faces.py LOCKSTEP
"""

import json
import random
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tools"), str(HERE.parent / "cli")]

from json_schema import Validator  # noqa: E402
import mutations  # noqa: E402
import test_prove  # noqa: E402
import test_proofs  # noqa: E402
from check_proof import check  # noqa: E402

SCHEMA = json.loads((HERE.parent / "third_party" / "sarif" / "sarif-schema-2.1.0.json").read_text())
ROWS = ("M", ["x=f32[M,N]:(stride,1)", "out=f32[M,N]", "BLOCK=4"], ["M", "N", "stride"])
RAGGED = ("B", ["x=f32[total,H]", "starts=i32[B+1]", "out=f32[total,H]", "BLOCK=16"], [])
CHUNKS = ("C", ["x=f32[total]", "starts=i32[N+1]", "chunks=i64[2*C]", "out=f32[C]", "BLOCK=16"], [])
RISES = ("--assume", "starts rises from 0 to total")
COUNTS = ("--assume", "chunks counts chunks of BLOCK in N sequences of starts")
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
        self.check_lines(self.answer("rows", ROWS, "--properties", "all")["lines"])
        code, text, = self.prove("rows", ROWS, "--report", "xml=x")
        self.need(code == 2 and "LS1922" in text, "another format is refused")
        code, text = self.prove("add", ("1", ["x=f32[n]"], []))
        self.need(code == 2 and "nothing says what 'y', 'out', 'BLOCK' are" in text and "BLOCK is a constexpr" in text, f"missing arguments: exit {code}\n{text}")

    def check_lines(self, rows):
        """The worst of a line first; that a property is proved is left out where another row of the line says more."""
        order = ["fails", "not decided", "needs", "proved"]
        places = [(one["file"], one["line"], order.index(one["state"])) for one in rows]
        self.need(rows and places == sorted(places), f"rows are in order: {rows}")
        for row in rows:
            others = [one for one in rows if one is not row and (one["line"], one["property"]) == (row["line"], row["property"])]
            self.need(row["state"] != "proved" or row["text"] or not others, f"said by another row of its line: {row}")

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

    def check_far_tables(self):
        """A table of 2^31 numbers is not made to try where its place wraps: zeros that nobody reads cost nothing."""
        code, text = self.prove("gathered_pairs", ("C", ["x=f32[m]", "index=i32[2*C]", "out=f32[C]"], []), "--assume", "index in [0,m)")
        exact = re.search(r"C <= 1073741824 .*\[exactly\]", text)
        self.need(code == 0 and exact and "index=zeros:i32[2147483650]" in text, f"gathered_pairs: exit {code}\n{text}")

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

    def check_chunks(self, folder):
        """A chunk begins inside of its sequence: proved with that, not decided without it, refused in another proof."""
        proof = Path(folder) / "chunks.proof"
        code, text = self.prove("chunk_ends", CHUNKS, *RISES, *COUNTS, "--proof", str(proof))
        self.need(code == 0 and f"assumed of data: {COUNTS[1]}" in text, f"chunk_ends: exit {code}\n{text}")
        if proof.exists():
            check(proof.read_text())
            for name, change in (("without a table", lambda rows: rows.clear()), ("with smaller chunks", lambda rows: rows["chunks"].__setitem__(1, [[15, []]])),
                                 ("with another table", lambda rows: rows["chunks"].__setitem__(0, "x"))):
                data = json.loads(proof.read_text())
                change(data["contract"]["chunks"])
                try:
                    check(json.dumps(data))
                    self.need(False, f"chunk_ends: a proof {name} is accepted")
                except Exception as refused:  # noqa: BLE001
                    self.need(type(refused).__name__ == "Refused", f"chunk_ends {name}: {refused!r}")
        code, text = self.prove("chunk_ends", CHUNKS, *RISES, "--assume", "chunks in [0,N)")
        wanted = '--assume "chunks counts chunks of SIZE in COUNT sequences of starts"'
        self.need(code == 4 and wanted in text, f"chunk_ends without the assumption: exit {code}\n{text}")
        for row, wanted, word in ((COUNTS[1], 0, ""), (COUNTS[1].replace("BLOCK", "15"), 0, "total <= 15"), ("chunks in [0,N)", 1, "LS105")):
            code, text = self.prove("chunk_starts", CHUNKS, *RISES, "--assume", row)
            self.need(code == wanted and word in text and ("total <= 15" in text) == (word == "total <= 15"), f"chunk_starts, {row}: exit {code}\n{text}")
        code, text = self.prove("chunk_ends_without_min", CHUNKS, *RISES, *COUNTS)
        self.need(code == 1 and "LS101" in text, f"chunk_ends_without_min: exit {code}\n{text}")
        # Only what the branch asked for says that a part begins inside of its sequence.
        parts = ("C, P, Z", ["x=*f32", "starts=i32[N+1]", "chunks=i64[2*C]", "out=*f32", "BLOCK=64", "PARTS=4", "H=4", "K=60"], [])
        code, text = self.prove("chunk_parts", parts, *RISES, *COUNTS, "--proof", str(proof))
        self.need(code == 0 and "240*total <= elements of x" in text, f"chunk_parts: exit {code}\n{text}")
        _, accepted = mutations.accepted_mutations([("chunk_parts", proof.read_text())], test_proofs.mutate, random.Random(30), 60)
        self.failures += mutations.refused_proofs([("chunk_parts", proof.read_text())]) + accepted
        for rows, problem in (((*COUNTS,), "nothing says that 'starts' rises"), ((*RISES, *COUNTS, "--assume", "chunks in [0,N)"), "something else"),
                              ((*RISES, "--assume", COUNTS[1].replace("BLOCK", "(N-1)")), "may be 0"), ((*RISES, "--assume", "chunks counts rows"), "chunks of 64")):
            code, text = self.prove("chunk_ends", CHUNKS, *rows)
            self.need(code == 2 and problem in text, f"{rows}: exit {code}\n{text}")
        # An empty sequence with a chunk: what is assumed does not hold, and the kernel reads before its memory.
        run = [self.lockstep, "run", f"{HERE / 'kernels.py'}::chunk_ends", "--grid", "1", "x=zeros:f32[4]", "starts=zeros:i32[2]", "chunks=zeros:i64[2]", "out=zeros:f32[1]", "BLOCK=16"]
        done = subprocess.run(run, capture_output=True, text=True, check=False)
        self.need(done.returncode == 1 and "LS104" in done.stdout + done.stderr, f"chunk_ends of an empty sequence: exit {done.returncode}")


def main():
    faces = Faces(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        faces.check_sarif(folder)
        faces.check_far()
        faces.check_far_tables()
        faces.check_conditions_of_races(folder)
        faces.check_rising(folder)
        faces.check_chunks(folder)
    print("\n".join(faces.failures))
    print(f"{len(faces.failures)} failures")
    return 1 if faces.failures else 0


if __name__ == "__main__":
    sys.exit(main())
