"""What a launch says with no option at all: bugs of the zoo are found, good twins are silent, and where something was
not looked for the summary says what, and how to ask for it.

    test_defaults.py LOCKSTEP --count [WORDS]    how many of the zoo's kernels and codes are found, with WORDS (--check none)"""

import os
import re
import shlex
import sys
import tempfile
import unittest
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tool import LOCKSTEP, ROOT, CommandTest, call

ZOO = ROOT / "tests" / "findings"
#: Checkers that `all` leaves out (advice on speed; hundreds of times the launch): their cases ask for them by name.
BY_NAME = ("cancellation", "lints")

UPDATE = '''import triton
import triton.language as tl


@triton.jit
def count(h, index, n, BLOCK: tl.constexpr):
    b = tl.load(index + tl.program_id(0))
    tl.store(h + b, tl.load(h + b) + 1)


@triton.jit
def smooth(x, out, rounds, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i)
    for _ in range(rounds):
        value = value * 0.5 + tl.sum(value.to(tl.bfloat16)) * 0.5 / BLOCK
    tl.store(out + i, value)


@triton.jit
def until_small(x, out, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i)
    while tl.max(value) > 1:
        value = value * 0.5 + tl.sum((value * 0.001).to(tl.bfloat16)) / BLOCK
    tl.store(out + i, value)
'''


def commands(twin: str) -> Iterator[tuple[str, list[str]]]:
    """(case, words of `lockstep`) of the zoo's kernels, without what they say of checkers and tiers."""
    for kernel in sorted(ZOO.glob(f"LS*/{twin}/kernel.py")):
        for line in kernel.read_text().splitlines():
            if not line.startswith("# args: run "):
                continue
            names = {"{file}": str(kernel.relative_to(ROOT)), "{folder}": str(kernel.parent.relative_to(ROOT))}
            words = shlex.split(line.removeprefix("# args: "))
            if "--check" in words:
                at = words.index("--check")
                if any(name in words[at + 1] for name in BY_NAME):
                    continue
                del words[at : at + 2]
            if "--fail-on" in words:
                at = words.index("--fail-on")
                del words[at : at + 2]
            for name, text in names.items():
                words = [word.replace(name, text) for word in words]
            yield kernel.parent.parent.name, words


def run_all(twin: str, *more: str) -> list[tuple[str, str, str]]:
    """(case, command, what it printed)."""
    jobs = list(commands(twin))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        done = pool.map(lambda job: call(*job[1], *more), jobs)
        return [(case, shlex.join(words), one.stdout + one.stderr) for (case, words), one in zip(jobs, done, strict=True)]


def codes_of(text: str, tiers: str = "error|warning|info") -> list[str]:
    return re.findall(rf"(?:{tiers}): .*\[(LS\w+)\]", text)


def is_found(case: str, text: str) -> bool:
    return case.split("_")[0] in codes_of(text)


class Defaults(CommandTest):
    def test_bugs_of_the_zoo_are_found(self):
        missed = [command for case, command, text in run_all("bad") if not is_found(case, text)]
        self.assertEqual(missed, [])

    def test_good_twins_are_silent(self):
        """A filled output that is compacted on purpose has holes (LS204): that is information."""
        said = [(command, codes_of(text)) for _, command, text in run_all("good") if codes_of(text, "error|warning")]
        self.assertEqual(said, [])

    def run_kernel(self, kernel: str, *words: str, code: int = 0) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "kernels.py"
            path.write_text(UPDATE)
            return self.check(code, "run", f"{path}::{kernel}", *words).stdout

    def summary(self, kernel: str, *words: str, code: int = 0) -> str:
        found = re.search(r"findings: (.*)", self.run_kernel(kernel, *words, code=code))
        assert found is not None
        return found[1]

    def test_lost_updates_fail_the_run(self):
        words = ["--grid", "64", "h=zeros:i32[8]", "index=randint(0,8):i32[64]", "n=64", "BLOCK=1"]
        self.assertIn("[LS302]", self.run_kernel("count", *words, code=1))
        self.assertEqual(self.summary("count", *words, "--check", "none"), "none (Lockstep checked only accesses, assertions and deadlocks; --check all)")
        self.assertRegex(self.summary("count", *words, "--check", "quick"), r"^none \(not looked for: tiles, .*races, .*; --check all\)$")

    def test_a_long_launch_says_what_was_not_looked_for(self):
        """Sums in bfloat16 are looked at step by step; twenty thousand of them are not taken unasked."""
        words = ["x=rand:f32[16384]", "out=empty:f32[16384]", "--grid", "16", "BLOCK=1024"]
        self.assertEqual(self.summary("smooth", *words, "rounds=4"), "none")
        self.assertEqual(self.summary("smooth", *words, "rounds=20000"), "none (not looked for: precision; --check all)")

    def test_a_race_among_many_programs(self):
        """What was touched shows that programs meet; following each of a million accesses is left to who asks for it."""
        words = ["--grid", "1000000", "h=zeros:i32[8]", "index=zeros:i32[1000000]", "n=64", "BLOCK=1"]
        self.assertRegex(self.summary("count", *words), r" \(not looked for: races, .*; --check all\)$")

    def test_loops_of_unknown_length_are_measured_first(self):
        words = ["x=rand:f32[16384]", "out=empty:f32[16384]", "--grid", "16", "BLOCK=1024"]
        self.assertEqual(self.summary("until_small", *words), "none")

    def test_reports_say_it_too(self):
        words = ["x=rand:f32[16384]", "out=empty:f32[16384]", "--grid", "16", "BLOCK=1024", "rounds=20000"]
        for form in ("json", "sarif"):
            self.assertIn('"left_out": ["precision"]', self.run_kernel("smooth", *words, "--report", form))


def count(words: list[str]) -> None:
    found = [(case, is_found(case, text)) for case, _, text in run_all("bad", *words)]
    codes = {case.split("_")[0] for case, _ in found}
    whole = {code for code in codes if all(is_there for case, is_there in found if case.startswith(code))}
    loud = sum(bool(codes_of(text, "error|warning")) for _, _, text in run_all("good", *words))
    print(f"{LOCKSTEP} {' '.join(words)}: {sum(one for _, one in found)} of {len(found)} kernels, "
          f"{len(whole)} of {len(codes)} codes; {loud} good twins with errors or warnings")
    print("missed:", " ".join(sorted({case for case, is_there in found if not is_there})))


if __name__ == "__main__":
    if "--count" in sys.argv:
        count(sys.argv[sys.argv.index("--count") + 1 :])
    else:
        unittest.main()
