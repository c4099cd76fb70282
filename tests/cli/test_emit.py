"""`lockstep emit`: what it prints can be read back and run, and texts that are wrong are named."""

import tempfile
import unittest
from pathlib import Path

from tool import KERNELS, CommandTest

FILL = ["emit", f"{KERNELS}/fill.py::fill"]
SIGNATURE = ["--sig", "out=*fp32,n=i32,value=fp32", "--attr", "out=16,n=16", "BLOCK=32"]


class Emit(CommandTest):
    def test_output_runs_as_ttir(self):
        text = self.check(0, *FILL, *SIGNATURE).stdout
        self.assertIn("tt.func public @fill(", text)
        self.assertIn("tt.divisibility = 16", text)
        self.assertNotIn("loc(", text)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "fill.ttir"
            path.write_text(text)
            self.assertEqual(self.check(0, "emit", str(path)).stdout, text)
            self.check(0, "run", str(path), "--grid", "2", "arg0=zeros:f32[40]", "arg1=40", "arg2=1.0")
            path.write_text(self.check(0, *FILL, *SIGNATURE, "--locations").stdout)
            self.check(0, "run", str(path), "--grid", "2", "out=zeros:f32[40]", "n=40", "value=1.0")

    def test_locations_on_request(self):
        text = self.check(0, *FILL, *SIGNATURE, "--locations").stdout
        self.assertIn(f"{KERNELS}/fill.py", text)

    def test_default_of_a_constexpr_parameter(self):
        text = self.check(0, *FILL, "--sig", "out=*fp32,n=i32,value=fp32").stdout
        self.assertIn("16", text)

    def test_wrong_texts(self):
        self.assertIn("[LS2206]", self.check(2, *FILL, "--sig", "out:*fp32").stderr)
        self.assertIn("[LS2207]", self.check(2, *FILL, "--sig", "out=*fp32", "--attr", "n=16").stderr)
        self.assertIn("[LS2207]", self.check(2, *FILL, "--sig", "out=*fp32", "--attr", "out=15").stderr)
        self.assertIn("[LS2209]", self.check(2, *FILL, "--sig", "out=*fp32", "BLOCK=zeros:f32[4]").stderr)
        self.check(2, *FILL, "--sig", "out=*fp32", "--to", "cubin")


if __name__ == "__main__":
    unittest.main()
