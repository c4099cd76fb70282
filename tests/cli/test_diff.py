"""`lockstep diff` without a GPU: results recorded before are judged by what is legal, or compared within a tolerance."""

import json
import struct
import tempfile
import unittest
from pathlib import Path

from tool import ROOT, CommandTest

INPUTS = ["x=randn:f32[1000]", "y=randn:f32[1000]", "n=1000"]
ADD = ["examples/vector_add.py::vector_add", "--grid", "4", *INPUTS, "BLOCK=256"]
LARGE = """
import triton
import triton.language as tl

@triton.jit
def kernel(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i) + (1 << 60))
"""
ADDRESSES = """
import triton
import triton.language as tl

@triton.jit
def kernel(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, (x + i).to(tl.int64))
"""


class Diff(CommandTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def recorded(self, launch: list[str], out: str, kind: str, changes: dict[int, float]) -> str:
        """The interpreter's `out` with some elements changed by so much, as a file."""
        path = self.folder / "gpu.npy"
        self.check(0, "run", *launch, f"out={out}", "--save", f"out=@{path}")
        data = bytearray(path.read_bytes())
        size = struct.calcsize(kind)
        start = 128  # the header of a small .npy
        for element, change in changes.items():
            value = struct.unpack_from(kind, data, start + element * size)[0]
            struct.pack_into(kind, data, start + element * size, value + change)
        path.write_bytes(data)
        return f"out=@{path}"

    def diff(self, code: int, changes: dict[int, float], *words: str) -> str:
        recorded = self.recorded(ADD, "empty:f32[1000]", "<f", changes)
        return self.check(code, "diff", *ADD, "out=empty:f32[1000]", "--against", recorded, *words).stdout

    def test_the_interpreters_result_is_legal(self):
        text = self.diff(0, {})
        self.assertIn("out: all 1000 elements lie inside", text)
        self.assertIn("100 % the same bits", text)
        self.assertNotIn("x:", text)

    def test_what_is_certain_must_match(self):
        text = self.diff(1, {700: 1e-3, 31: -1.0})
        self.assertIn("2 of 1000 elements lie outside", text)
        self.assertIn("first: [31] is", text)
        self.assertIn("99.8 % the same bits", text)
        report = json.loads(self.diff(1, {700: 1e-3}, "--json"))
        self.assertFalse(report["inside"])
        self.assertEqual(report["tensors"][0]["first"]["element"], 700)
        self.assertEqual(report["tensors"][0]["distances"]["equal_bits"], 999)

    def test_a_tolerance_is_a_plain_comparison(self):
        self.assertIn("1000 elements agree", self.diff(0, {700: 1e-6}, "--atol", "1e-3"))
        self.assertIn("out: 1 of 1000 elements differs", self.diff(1, {700: 1e-6}, "--atol", "0", "--rtol", "0"))

    def test_large_integers_must_match_to_the_last_bit(self):
        kernel = self.folder / "kernel.py"
        kernel.write_text(LARGE)
        launch = f"{kernel} --grid 1 x=arange:i64[16] BLOCK=16".split()
        words = [*launch, "out=empty:i64[16]", "--against"]
        self.check(0, "diff", *words, self.recorded(launch, "empty:i64[16]", "<q", {}))
        text = self.check(1, "diff", *words, self.recorded(launch, "empty:i64[16]", "<q", {5: 1})).stdout
        self.assertIn("1 of 16 elements lie outside", text)
        self.assertIn("first: [5] is", text)

    def test_addresses_are_not_compared(self):
        kernel = self.folder / "kernel.py"
        kernel.write_text(ADDRESSES)
        launch = f"{kernel} --grid 1 x=arange:i32[16] BLOCK=16".split()
        recorded = self.recorded(launch, "empty:i64[16]", "<q", {5: 1})
        text = self.check(0, "diff", *launch, "out=empty:i64[16]", "--against", recorded).stdout
        self.assertIn("not compared: 16 addresses of tensors", text)

    def test_findings_are_said(self):
        words = [*ADD[:3], "x=randn:f32[900]", "y=randn:f32[1000]", "n=1000", "BLOCK=256", "out=empty:f32[1000]"]
        recorded = self.recorded(ADD, "empty:f32[1000]", "<f", {})
        text = self.check(1, "diff", *words, "--against", recorded).stdout
        self.assertIn("LS101", text)
        self.assertIn("the kernel has findings", text)

    def test_bisect_names_the_changed_op(self):
        kernel, changed = self.folder / "k.ttir", self.folder / "changed.ttir"
        text = self.check(0, "emit", ADD[0], "--sig", "x=*fp32,y=*fp32,out=*fp32,n=i32", ADD[-1]).stdout
        kernel.write_text(text)
        changed.write_text(text.replace("arith.addf", "arith.subf"))
        self.assertNotEqual(kernel.read_text(), changed.read_text())
        arguments = ["arg0=randn:f32[1000]", "arg1=randn:f32[1000]", "arg2=empty:f32[1000]", "arg3=1000"]
        words = [str(kernel), "--grid", "4", *arguments, "--gpu-kernel", str(changed), "--stand-in"]
        said = self.check(1, "diff", *words, "--bisect").stdout
        self.assertIn("first op that leaves its bounds: %", said)
        self.assertRegex(said, r"= arith\.addf %\d+, %\d+ : tensor<256xf32>")
        self.assertIn("its operands:", said)
        self.assertIn("--bisect names the op", self.check(1, "diff", *words).stdout)
        self.check(0, "diff", str(kernel), "--grid", "4", *arguments, "--stand-in", "--bisect")
        report = json.loads(self.check(1, "diff", *words, "--bisect", "--json").stdout)
        self.assertEqual(report["bisect"]["programs"][0]["program"], [0, 0, 0])

    def test_a_dot_fed_by_a_pipeline_is_looked_at_without(self):
        text = (ROOT / "examples/ttir/matmul.ttir").read_text()
        changed = self.folder / "changed.ttir"
        dot = "%total_49 = tt.dot %left"
        self.assertIn(dot, text)
        negated = "%minus = arith.negf %left : tensor<64x32xf16>\n      %total_49 = tt.dot %minus"
        changed.write_text(text.replace(dot, negated))
        arguments = "a=randn:f16[64,64] b=randn:f16[64,32] out=empty:f16[64,32] m=64 n=32 k=64 a_row=64 b_row=32 out_row=32"
        words = ["examples/ttir/matmul.ttir", "--grid", "1", *arguments.split(), "--gpu-kernel", str(changed)]
        said = self.check(1, "diff", *words, "--stand-in", "--bisect").stdout
        before, _, after = said.partition("compiled without pipelines")
        self.assertIn("it goes to shared memory ahead of its use", before)
        self.assertEqual(said.count("first op that leaves its bounds: %73 = tt.dot %71, %72"), 2)
        self.assertNotIn("shared memory", after)
        self.assertIn("%72: every element lies inside", after)

    def test_the_gpus_kernel_has_the_same_parameters(self):
        kernel = self.folder / "k.ttir"
        kernel.write_text(self.check(0, "emit", ADD[0], "--sig", "x=*fp32,y=*fp32,out=*fp32,n=i64", ADD[-1]).stdout)
        words = [*ADD, "out=empty:f32[1000]", "--stand-in", "--gpu-kernel"]
        self.assertIn("LS3029", self.check(3, "diff", *words, str(kernel)).stderr)
        self.assertIn("LS2201", self.check(2, "diff", *words, "examples/softmax.py").stderr)

    def test_the_verdict_stands_where_nothing_can_bisect(self):
        recorded = self.recorded(ADD, "empty:f32[1000]", "<f", {700: 1e-3})
        words = ["diff", *ADD, "out=empty:f32[1000]", "--against", recorded, "--bisect"]
        done = self.check(3, *words, LOCKSTEP_HIDE="driver")
        self.assertIn("1 of 1000 elements lie outside", done.stdout)
        self.assertIn("LS3020", done.stderr)
        done = self.check(3, *words, "--json", LOCKSTEP_HIDE="driver")
        self.assertFalse(json.loads(done.stdout)["inside"])

    def test_usage(self):
        for words in (["--json", "--rtol", "1"], ["--bisect", "--ulp", "1"]):
            self.assertIn("cannot be given together", self.check(2, "diff", *ADD, "out=empty:f32[1000]", *words).stderr)
        self.assertIn("LS2212", self.check(2, "diff", *ADD, "out=empty:f32[1000]", "--num-warps", "3").stderr)
        done = self.check(3, "diff", *ADD, "out=empty:f32[1000]", LOCKSTEP_HIDE="driver")
        self.assertIn("LS3020", done.stderr)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
