"""`lockstep run` and memory: tensors larger than what they touch, what a launch holds at most, the time of a cold start."""

import os
import re
import struct
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import tool
from tool import KERNELS, ROOT, CommandTest

SPARSE = f"{KERNELS}/sparse.py"
MIB = 1 << 20
SMALL = 24 * MIB  # of the process itself, and what allocators keep
COLD_START_SECONDS = 0.5  # 0.03 on a quiet machine; those that run tests are busy


def read_element(path: Path, index: int) -> float:
    """Of a .npy file of f32 with a header of 128 bytes or less."""
    with path.open("rb") as file:
        header = struct.unpack("<H", file.read(10)[8:])[0] + 10
        file.seek(header + 4 * index)
        return struct.unpack("<f", file.read(4))[0]


def peak_bytes(*words: str) -> int:
    """The largest resident size of `lockstep WORDS`."""
    settings = {name: value for name, value in os.environ.items() if not name.startswith("LOCKSTEP_")}
    process = subprocess.Popen([tool.LOCKSTEP, *words], cwd=ROOT, stdout=subprocess.DEVNULL, env=settings)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, words
    return usage.ru_maxrss * 1024


def keeps_holes(folder: Path) -> bool:
    """Some file systems write out what was skipped."""
    probe = folder / "probe"
    with probe.open("wb") as file:
        file.seek(64 * MIB)
        file.write(b"x")
    return probe.stat().st_blocks * 512 < 32 * MIB


class Sparse(CommandTest):
    def test_two_to_the_31_elements(self):
        with tempfile.TemporaryDirectory() as folder:
            saved = Path(folder) / "out.npy"
            done = self.check(0, "run", f"{SPARSE}::touch", "--grid", "2048", "out=zeros:f32[2147483648]", "step=1048576",
                              "--save", f"out=@{saved}", "--print", "out")  # fmt: skip
            self.assertIn("wrote 8.19 kB, findings: none", done.stdout)
            self.assertIn("[1. 0. 0. ... 0. 0. 0.]", done.stdout)
            self.assertGreater(saved.stat().st_size, 8 << 30)
            if Path("/proc/self/pagemap").exists() and keeps_holes(Path(folder)):
                self.assertLess(saved.stat().st_blocks * 512, 64 * MIB)
            for program in (0, 1, 777, 2047):
                self.assertEqual(read_element(saved, program << 20), program + 1)
                self.assertEqual(read_element(saved, (program << 20) + 1), 0)

    def test_far_offsets_of_a_tensor_larger_than_any_memory(self):
        start = 1_000_000_000_000
        words = ["run", f"{SPARSE}::shift", "--grid", "4", "x=zeros:f32[2000000000000]", "out=empty:f32[2000000000000]",
                 f"far=view(out, offset={start}, shape=[2050])", f"start={start}", "BLOCK=512"]  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            saved = Path(folder) / "far.npy"
            done = self.check(0, *words, "--save", f"far=@{saved}", "--print", "far")
            self.assertIn("far: f32[2050]\n[1. 1. 1. ... 4. 0. 0.]", done.stdout)
            self.assertIn("memory: arguments 16.0 TB, scratch ", done.stdout)
            for index, value in ((0, 1), (511, 1), (512, 2), (2047, 4), (2048, 0)):
                self.assertEqual(read_element(saved, index), value)
        self.assertLess(peak_bytes(*words), SMALL)

    def test_too_large_even_so(self):
        done = self.check(3, "run", f"{SPARSE}::touch", "--grid", "1", "out=zeros:f32[100000000000000]", "step=1")
        self.assertIn("cannot get 400000000000000 bytes of memory for 'out' [LS3010]", done.stderr)

    def test_filled_tensors_are_bounded_by_the_machine(self):
        done = self.check(2, "run", f"{SPARSE}::touch", "--grid", "1", "out=randn:f32[10000000000000]", "step=1")
        self.assertIn("the tensors need more than the limit of ", done.stderr)


class Peak(CommandTest):
    def test_arguments_and_scratch_are_all(self):
        n = 4 * MIB
        words = ["run", f"{SPARSE}::add", "--grid", "cdiv(n, BLOCK)", f"x=arange:f32[{n}]", f"y=ones:f32[{n}]",
                 f"out=zeros:f32[{n}]", f"n={n}", "BLOCK=1024"]  # fmt: skip
        for threads in ("1", "2", "7"):
            done = self.check(0, *words, "--threads", threads, "--max-memory", "1GiB")
            stated = re.search(r"memory: arguments ([\d.]+) MB, scratch ([\d.]+) (B|kB|MB)", done.stdout)
            self.assertIsNotNone(stated, done.stdout)
            self.assertEqual(stated[1], "50.3")
            scratch = float(stated[2]) * {"B": 1, "kB": 1e3, "MB": 1e6}[stated[3]]
            self.assertLess(scratch, 8 * MIB)
            self.assertLess(peak_bytes(*words, "--threads", threads), 3 * 4 * n + scratch + SMALL)


class ColdStart(CommandTest):
    def test_vector_add_of_64_ki(self):
        n = 65536
        words = ["run", f"{SPARSE}::add", "--grid", "cdiv(n, BLOCK)", f"x=ones:f32[{n}]", f"y=ones:f32[{n}]",
                 f"out=zeros:f32[{n}]", f"n={n}", "BLOCK=1024"]  # fmt: skip
        best = float("inf")
        for _ in range(5):
            start = time.monotonic()
            self.check(0, *words)
            best = min(best, time.monotonic() - start)
        self.assertLess(best, COLD_START_SECONDS)


if __name__ == "__main__":
    unittest.main()
