"""`lockstep emit`: what it prints can be read back and run, and texts that are wrong are named."""

import shlex
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
            self.check(0, "run", str(path), "--grid", "2", "arg0=zeros:f32[48]", "arg1=48", "arg2=1.0")
            path.write_text(self.check(0, *FILL, *SIGNATURE, "--locations").stdout)
            self.check(0, "run", str(path), "--grid", "2", "out=zeros:f32[48]", "n=48", "value=1.0")

    def test_locations_on_request(self):
        text = self.check(0, *FILL, *SIGNATURE, "--locations").stdout
        self.assertIn(f"{KERNELS}/fill.py", text)

    def test_default_of_a_constexpr_parameter(self):
        text = self.check(0, *FILL, "--sig", "out=*fp32,n=i32,value=fp32").stdout
        self.assertIn("16", text)

    def test_the_words_of_a_launch(self):
        launch = [f"{KERNELS}/fill.py::fill", "--grid", "cdiv(n, BLOCK)", "out=zeros:f32[48]", "n=48", "value=1.5", "BLOCK=32"]
        self.check(0, "run", *launch)
        self.assertEqual(self.check(0, "emit", *launch).stdout, self.check(0, *FILL, *SIGNATURE).stdout)
        self.assertEqual(self.check(0, "emit", launch[0], *launch[3:]).stdout, self.check(0, *FILL, *SIGNATURE).stdout)
        self.assertIn("hint: add n=", self.check(2, "emit", *launch[:4]).stderr)

    def test_without_types_it_ends_with_a_command_that_works(self):
        said = self.check(2, "emit", f"{KERNELS}/fill.py::fill").stderr
        self.assertIn("[LS1312]", said)
        self.assertIn("\nThis command prints the kernel's IR. Change its numbers to yours:\n  lockstep emit ", said)
        words = shlex.split(said[said.index("\n  lockstep ") :].replace("\\\n", " "))
        self.assertIn("tt.func public @fill(", self.check(0, *words[1:]).stdout)

    def test_wrong_texts(self):
        self.assertIn("[LS2206]", self.check(2, *FILL, "--sig", "out:*fp32").stderr)
        self.assertIn("[LS2207]", self.check(2, *FILL, "--sig", "out=*fp32", "--attr", "n=16").stderr)
        self.assertIn("[LS2207]", self.check(2, *FILL, "--sig", "out=*fp32", "--attr", "out=15").stderr)
        self.assertIn("[LS2209]", self.check(2, *FILL, "--sig", "out=*fp32", "BLOCK=zeros:f32[4]").stderr)
        self.check(2, *FILL, "--sig", "out=*fp32", "--to", "cubin")


PROBED = ["emit", "examples/vector_add.py", "--sig", "x=*fp32,y=*fp32,out=*fp32,n=i32", "BLOCK=64", "--to", "cuda"]


RECURSIVE = """module {
  tt.func public @k(%arg0: !tt.ptr<f32>) {
    tt.call @f(%arg0) : (!tt.ptr<f32>) -> ()
    tt.return
  }
  tt.func private @f(%arg0: !tt.ptr<f32>) attributes {noinline = true} {
    tt.call @f(%arg0) : (!tt.ptr<f32>) -> ()
    tt.return
  }
}
"""


class Probes(CommandTest):
    def test_recursion_has_no_text(self):
        with tempfile.TemporaryDirectory() as folder:
            kernel = Path(folder) / "k.ttir"
            kernel.write_text(RECURSIVE)
            for words in ([], ["--probe", "0,0,0"]):
                self.assertIn("recursive", self.check(4, "emit", str(kernel), "--to", "cuda", *words).stderr)

    def test_a_program_writes_out_its_values(self):
        text = self.check(0, *PROBED, "--probe", "3,0,1").stdout
        self.assertIn("blockIdx.x == 3u && blockIdx.y == 0u && blockIdx.z == 1u", text)
        self.assertNotIn("ls_prob", self.check(0, *PROBED).stdout)

    def test_a_program_has_three_numbers(self):
        for program in ("3", "1,2,-1", "a,b,c", "1,2,3,4", "1,,3"):
            self.assertIn("LS2213", self.check(2, *PROBED, "--probe", program).stderr)


if __name__ == "__main__":
    unittest.main()
