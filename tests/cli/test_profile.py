"""`lockstep run --profile` and `--trace`: the text with its times masked, its sums, the trace's nesting."""

import json
import re
import tempfile
import unittest
from pathlib import Path

from tool import KERNELS, CommandTest

N = 4000
ADD = ["run", f"{KERNELS}/sparse.py::add", "--grid", "cdiv(n, BLOCK)", f"x=arange:f32[{N}]", f"y=ones:f32[{N}]",
       f"out=zeros:f32[{N}]", f"n={N}", "BLOCK=64"]  # fmt: skip
PLAIN = {"LOCKSTEP_TUNING": "fuse=0,batch=1,hoist=0"}
UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
MASKS = [(r"\d[\d.,]* ?(ns|us|ms|s)\b", "TIME"), (r"\d+\.\d %", "SHARE"), (r"\d[\d.]* ([kMG]?B?/s)", "RATE"), (r" +", " ")]
EXPECTED = """\
profile of add: 63 programs in TIME on 1 thread
 share time calls per call rate source line
"""


def masked(text: str) -> str:
    for pattern, word in MASKS:
        text = re.sub(pattern, word, text)
    return text


class Profile(CommandTest):
    def profile(self, *words: str, **environment: str) -> str:
        done = self.check(0, *words, "--profile", **environment)
        return done.stdout[done.stdout.index("profile of ") :]

    def test_text(self):
        text = masked(self.profile(*ADD, "--threads", "1", **PLAIN))
        lines = text.splitlines()
        self.assertEqual("\n".join(lines[:2]) + "\n", "".join(EXPECTED.splitlines(keepends=True)[:2]))
        places = {line.split(" SHARE ")[-1] for line in lines if "sparse.py:" in line}
        for place in ("sparse.py:21 index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)", "sparse.py:22 mask = index < n"):
            self.assertTrue(any(one.endswith(place) for one in places), f"{place}\n{text}")
        for op, calls in (("tt.load", 126), ("tt.store", 63), ("arith.addf", 63), ("arith.cmpi", 63)):
            self.assertRegex(text, rf"(?m)^ SHARE TIME {calls} TIME RATE {re.escape(op)}$")
        self.assertRegex(text, r"(?m)^ worker 0: 63 runs, in steps TIME, scheduling TIME, measuring TIME, before its first")
        self.assertIn(" steps TIME (SHARE) + scheduling TIME (SHARE) + waiting TIME (SHARE) + measuring TIME (SHARE)\n"
                      " = TIME = wall time x 1 thread; measuring a step took TIME, which is left out of its time\n", text)

    def test_sum(self):
        for threads in ("1", "2", "7"):
            text = self.profile(*ADD, "--threads", threads)
            sums = text[text.index("  steps ") :]
            times = [float(number) * UNITS[unit] for number, unit in re.findall(r"([\d.]+) (ns|us|ms|s)\b", sums)]
            steps, scheduling, waiting, measuring, total = times[:5]
            self.assertAlmostEqual((steps + scheduling + waiting + measuring) / total, 1, delta=0.02)
            wall = re.search(r"programs in ([\d.]+) (ns|us|ms|s) on", text)
            self.assertAlmostEqual(float(wall[1]) * UNITS[wall[2]] * int(threads) / total, 1, delta=0.02)

    def test_changes_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            plain, measured = Path(folder) / "plain.npy", Path(folder) / "measured.npy"
            self.check(0, *ADD, "--save", f"out=@{plain}")
            self.check(0, *ADD, "--save", f"out=@{measured}", "--profile", "--trace", f"{folder}/trace.json")
            self.assertEqual(plain.read_bytes(), measured.read_bytes())

    def test_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.check(0, *ADD, "--threads", "1", "--trace", f"{folder}/trace.json", **PLAIN)
            self.assertNotIn("profile of", done.stdout)
            trace = json.loads(Path(folder, "trace.json").read_text())
        self.assertEqual(trace["otherData"]["steps_of_one_program_in"], 1)
        events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
        outer = {"line": "programs", "op": "line"}
        current: dict[str, tuple[float, float]] = {}
        for event in events:
            begin, end = event["ts"], event["ts"] + event["dur"]
            if event["cat"] in outer:
                around = current[outer[event["cat"]]]
                self.assertTrue(around[0] - 0.002 <= begin <= end <= around[1] + 0.002, event)
            current[event["cat"]] = begin, end
        self.assertEqual(sum(event["name"] == "tt.store" for event in events), 63)
        self.assertEqual(sum(event["cat"] == "programs" for event in events), 64)  # and what is done once

    def test_trace_of_a_large_grid_is_bounded(self):
        with tempfile.TemporaryDirectory() as folder:
            self.check(0, "run", f"{KERNELS}/sparse.py::touch", "--grid", "60000", "out=zeros:f32[60000]", "step=1",
                       "--trace", f"{folder}/trace.json", **PLAIN)  # fmt: skip
            trace = json.loads(Path(folder, "trace.json").read_text())
        self.assertLessEqual(len(trace["traceEvents"]), 200_000)
        self.assertGreater(trace["otherData"]["steps_of_one_program_in"], 1)
        last = [event["name"] for event in trace["traceEvents"] if event.get("cat") == "programs"]
        self.assertTrue(any(name.endswith("59999") for name in last))

    def test_trace_that_cannot_be_written(self):
        done = self.check(3, *ADD, "--trace", "/nowhere/trace.json")
        self.assertIn("cannot write '/nowhere/trace.json'", done.stderr)

    def test_says_why_programs_run_in_order(self):
        text = self.profile("run", f"{KERNELS}/sparse.py::counts", "--grid", "8", "counter=zeros:i32[1]", "out=zeros:i32[8]")
        self.assertIn("note: programs ran one after the other: the kernel looks at what its atomics return\n", text)


if __name__ == "__main__":
    unittest.main()
