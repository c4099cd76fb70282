"""What @triton.autotune and @triton.heuristics set: `emit`, `run`, `debug`, `emit --list`."""

import unittest

from tool import KERNELS, CommandTest

ADD = f"{KERNELS}/tuned.py::add"
TYPES = ["--sig", "x=*fp32,bias=*fp32,n=i32"]
LAUNCH = [ADD, "--grid", "cdiv(n, BLOCK)", "x=zeros:f32[100]", "n=100"]


class Tuning(CommandTest):
    def test_list(self):
        listed = self.check(0, "emit", f"{KERNELS}/tuned.py", "--list").stdout
        self.assertEqual(
            listed,
            "add(x, bias, n, BLOCK: constexpr, EVEN: constexpr, HAS_BIAS: constexpr)  line 15\n"
            "  heuristics: EVEN, HAS_BIAS\n"
            "  --config 0: BLOCK=64 num_warps=2 num_stages=2\n"
            "  --config 1: BLOCK=128 num_warps=4 num_stages=2\n"
            "plain(x, parts)  line 25\n",
        )

    def test_run_takes_what_the_decorators_set(self):
        shown = self.check(0, "run", *LAUNCH, "bias=ones:f32[100]", "--print", "x").stdout
        self.assertIn("2 programs", shown)
        self.assertIn("2.", shown)
        self.assertIn("1 program ", self.check(0, "run", *LAUNCH, "bias=none", "--config", "1").stdout)
        self.assertIn("7 programs", self.check(0, "run", *LAUNCH, "bias=none", "BLOCK=16").stdout)

    def test_debug_takes_the_same(self):
        words = ["--config", "1", "--batch", "--command", "print BLOCK", "--command", "print EVEN"]
        shown = self.check(0, "debug", *LAUNCH, "bias=none", *words).stdout
        self.assertIn("BLOCK = 128\n(lockstep) print EVEN\nEVEN = False", shown)

    def test_emit(self):
        self.assertIn("end = 64 ", self.check(0, "emit", ADD, *TYPES, "EVEN=true").stdout)
        self.assertIn("end = 128 ", self.check(0, "emit", ADD, *TYPES, "EVEN=true", "--config", "1").stdout)
        self.assertIn("end = 32 ", self.check(0, "emit", ADD, *TYPES, "EVEN=true", "BLOCK=32").stdout)
        refused = self.check(2, "emit", ADD, *TYPES).stderr
        self.assertIn("the value that heuristics give 'EVEN' is made of an argument that is given by its type alone", refused)
        self.assertIn("hint: give EVEN=VALUE", refused)

    def test_wrong_configurations(self):
        self.assertIn("there are 2, counted from 0 [LS1319]", self.check(2, "run", *LAUNCH, "bias=none", "--config", "2").stderr)
        plain = ["emit", f"{KERNELS}/tuned.py::plain", "--sig", "x=*fp32,parts=(*fp32,fp32)", "--config", "0"]
        self.assertIn("[LS1319]", self.check(2, *plain).stderr)

    def test_divisible_elements_of_a_tuple(self):
        plain = ["emit", f"{KERNELS}/tuned.py::plain", "--sig", "x=*fp32,parts=(*fp32,fp32)"]
        text = self.check(0, *plain, "--attr", "parts.0=16").stdout
        self.assertEqual(text.count("tt.divisibility"), 1)
        self.assertIn("%arg1: !tt.ptr<f32> {tt.divisibility = 16", text)


if __name__ == "__main__":
    unittest.main()
