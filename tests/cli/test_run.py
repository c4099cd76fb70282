"""`lockstep run`: interruption, limits, progress, outputs."""

import os
import pty
import select
import signal
import struct
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import tool
from tool import KERNELS, ROOT, CommandTest

FILL = ["run", f"{KERNELS}/fill.py::fill", "--grid", "cdiv(n, BLOCK)", "n=40", "out=zeros:f32[40]"]
ENDLESS = ["run", f"{KERNELS}/fill.py::endless", "--grid", "4", "out=zeros:i32[1]"]
SLOW = ["run", f"{KERNELS}/fill.py::slow", "--grid", "4000", "out=zeros:f32[4000]", "steps=5000000"]


def npy_bytes(values: list[float]) -> bytes:
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % len(values)
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}f", *values)


class Run(CommandTest):
    def test_summary_is_the_last_block(self):
        done = self.check(0, *FILL, "value=2.5", "--print", "out")
        lines = done.stdout.splitlines()
        self.assertIn("out: f32[40]\n[2.5 2.5", done.stdout)
        self.assertRegex(lines[-2], r"^fill: 3 programs in .* on \d+ threads?, as sm_90$")
        self.assertEqual(lines[-1], "  read 0 B, wrote 160 B, findings: none (as with --check all; results not compared: --expect)")
        self.assertEqual(done.stderr, "")

    def test_saved_file_is_what_expect_compares_with(self):
        with tempfile.TemporaryDirectory() as folder:
            good, bad = Path(folder) / "good.npy", Path(folder) / "bad.npy"
            self.check(0, *FILL, "value=2.5", "--save", f"out=@{good}")
            self.assertEqual(good.read_bytes()[-160:], npy_bytes([2.5] * 40)[-160:])
            agreed = self.check(0, *FILL, "value=2.5", "--expect", f"out=@{good}").stdout
            self.assertIn(f"out and {good}: 40 elements agree (rtol 1e-05, atol 1e-05), every one exactly\n", agreed)
            values = [2.5] * 40
            values[17] = 2.75
            bad.write_bytes(npy_bytes(values))
            done = self.check(1, *FILL, "value=2.5", "--expect", f"out=@{bad}")
            self.assertIn(f"error: out differs from {bad}\nout: 1 of 40 elements differs", done.stdout)
            self.assertIn("first: out[17] is 2.5, expected 2.75 (off by 0.25, ", done.stdout)
            self.check(0, *FILL, "value=2.5", "--expect", f"out=@{bad}", "--atol", "0.25", "--rtol", "0")

    def test_missing_reference_is_3_and_unwritable_output_too(self):
        self.check(3, *FILL, "value=1.0", "--expect", "out=@/nonexistent/ref.npy")
        self.check(3, *FILL, "value=1.0", "--save", "out=@/nonexistent/out.npy")

    def test_wrong_outputs_are_found_before_the_launch(self):
        with tempfile.TemporaryDirectory() as folder:
            reference, file, directory = (Path(folder) / name for name in ("one.npy", "file", "folder.npy"))
            reference.write_bytes(npy_bytes([1.0]))
            file.write_text("")
            directory.mkdir()
            wrong = {"--expect out": (2, "LS2203"), "--expect out=@/nonexistent/ref.npy": (3, "LS2101"),
                     "--expect n=@ref.npy": (2, "LS2204"), f"--expect out=@{reference}": (2, "LS2112"),
                     "--save out": (2, "LS2203"), "--save out=@/tmp/out.npz:key": (2, "LS2203"),
                     "--save out=@/nonexistent/out.npy": (3, "LS2110"),
                     f"--save out=@{directory}": (3, "LS2110"), f"--save out=@{file}/out.npy": (3, "LS2110"),
                     f"--save nothing=@{folder}/out.npy": (2, "LS2204"), "--print steps": (2, "LS2204")}
            for tensor in ("zeros:i32[1]", "zeros:f32[2]"):
                for words, (exit_code, code) in wrong.items():
                    endless = [word.replace("zeros:i32[1]", tensor) for word in ENDLESS]
                    done = self.check(exit_code, *endless, "--timeout", "20", *words.split())
                    self.assertIn(f"[{code}]", done.stderr, words)
                    self.assertEqual(done.stdout, "", words)
            self.assertEqual(sorted(path.name for path in Path(folder).iterdir()), ["file", "folder.npy", "one.npy"])

    def test_expect_compares_with_the_file_before_save_writes_over_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "out.npy"
            path.write_bytes(npy_bytes([1.0] * 40))
            both = ["--save", f"out=@{path}", "--expect", f"out=@{path}"]
            self.assertIn("40 of 40 elements differ", self.check(1, *FILL, "value=2.0", *both).stdout)
            self.check(0, *FILL, "value=2.0", *both)

    def test_unknown_names(self):
        self.assertIn("[LS2204]", self.check(2, *FILL, "value=1.0", "--print", "result").stderr)
        self.assertIn("[LS2014]", self.check(2, *FILL, "value=1.0", "value=2.0").stderr)
        self.assertIn("[LS2201]", self.check(2, "run", f"{KERNELS}/fill.py", "--grid", "1").stderr)
        self.assertIn("[LS2202]", self.check(2, "run", "README.md", "--grid", "1").stderr)
        self.assertIn("[LS2209]", self.check(2, *FILL, "value=1.0", "--max-memory", "lots").stderr)

    def test_timeout_is_5(self):
        start = time.monotonic()
        done = self.check(5, *ENDLESS, "--timeout", "0.3")
        self.assertLess(time.monotonic() - start, 10)
        self.assertIn("stopped by --timeout", done.stdout)

    def test_max_memory_is_5(self):
        self.check(5, "run", f"{KERNELS}/fill.py::fill", "--grid", "1", "n=1", "value=1.0", "out=zeros:f32[100000000]",
                   "--max-memory", "1MB")

    def test_interrupt_is_130_and_clean(self):
        for seconds in (0.7, 4.0, 12.0):  # under an emulator it takes longer until it listens
            process = subprocess.Popen([tool.LOCKSTEP, *ENDLESS], cwd=ROOT, stdout=subprocess.PIPE, text=True)
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=20)
            if process.returncode != -signal.SIGINT:
                break
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted after", output)

    def test_no_progress_and_no_escapes_without_a_terminal(self):
        done = self.check(0, *FILL, "value=1.0")
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_progress_with_time_left_on_a_terminal(self):
        try:
            main, terminal = pty.openpty()
        except OSError as reason:
            print(f"skipped: no terminal: this machine gives none: {reason}")  # for tools/left_out.py
            self.skipTest("no terminal")
        process = subprocess.Popen([tool.LOCKSTEP, *SLOW, "--timeout", "120"], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=terminal)
        os.close(terminal)
        seen = b""
        while b" left" not in seen and process.poll() is None:
            if select.select([main], [], [], 0.2)[0]:
                try:
                    seen += os.read(main, 65536)
                except OSError:  # the other end was closed
                    break
        process.kill()
        process.wait()
        os.close(main)
        self.assertRegex(seen.decode(errors="replace"), r"\[#*-+\] +\d+ %  \d+ of 4,000 programs, .* left")

    def test_log_tells_the_steps_and_only_when_asked(self):
        self.assertEqual(self.check(0, *FILL, "value=1.0").stderr, "")
        self.assertIn("lockstep: debug: compile: ", self.check(0, "--log-level", "debug", *FILL, "value=1.0").stderr)
        self.assertIn("lockstep: debug: compile: ", self.check(0, *FILL, "value=1.0", LOCKSTEP_LOG="debug").stderr)

    def test_threads_do_not_change_a_byte(self):
        with tempfile.TemporaryDirectory() as folder:
            for threads in ("1", "3"):
                self.check(0, *FILL, "value=1.5", "--threads", threads, "--save", f"out=@{folder}/{threads}.npy")
            self.assertEqual(Path(f"{folder}/1.npy").read_bytes(), Path(f"{folder}/3.npy").read_bytes())

    def test_memory_that_partitions_use_is_known(self):
        """Pointers that partitions capture are arguments: a launch that may reach other memory cannot be recorded."""
        with tempfile.TemporaryDirectory() as folder:
            lesson = "debugger/web/lessons/29_producer_and_consumer/solution.ttgir"
            self.check(0, "run", lesson, "x=randn:f32[8,128]", "out=zeros:f32[128]", "--grid", "1", LOCKSTEP_RECORD=folder)
            self.assertEqual(len(list(Path(folder).glob("*.launch"))), 1)

    def test_orders_turn_round_only_what_can_change(self):
        """After eight rounds of two groups, one waits for the phase before the first: wrong in one order. MOST orders find it."""
        word, most = "!ttg.memdesc<1xi64, #shared, #smem, mutable>", 16
        text = (ROOT / "debugger/web/lessons/29_producer_and_consumer/solution.ttgir").read_text()
        for old, new in [
            ("%full, %empty)\n", "%full, %empty, %told)\n"),
            (f"%p_empty: {word})", f"%p_empty: {word}, %p_told: {word})"),
            (f"{word}) -> tensor", f"{word}, {word}) -> tensor"),
            ("    %total =", f"    %told = ttg.local_alloc : () -> {word}\n    ttng.init_barrier %told, 1 : {word}\n    %total ="),
            ("      ttg.warp_return", f"      ttng.wait_barrier %p_told, PARITY : {word}\n      ttg.warp_return"),
            ("      ttg.warp_yield", f"      ttng.arrive_barrier %told, 1 : {word}\n      ttg.warp_yield"),
        ]:
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        with tempfile.TemporaryDirectory() as folder:
            words = [f"{folder}/kernel.ttgir", "x=randn:f32[8,128]", "out=zeros:f32[128]", "--grid", "1"]
            Path(words[0]).write_text(text.replace("PARITY", "%p_c1"))
            self.check(0, "run", *words)
            self.assertIn("[LS901]", self.check(1, "run", *words, "--schedules", str(2 * most)).stdout)
            Path(words[0]).write_text(text.replace("PARITY", "%p_c0"))
            self.check(0, "run", *words, "--schedules", str(2 * most))


if __name__ == "__main__":
    unittest.main()
