"""`lockstep run FILE.py` without arguments: the signature, what each parameter seems to be, and a command that works; shapes that
name integer arguments."""

import shlex
import tempfile
import unittest
from pathlib import Path

from tool import ROOT, CommandTest, call

EXAMPLES = ["vector_add.py", "softmax.py", "layer_norm.py", "matmul.py::matmul", "attention.py", "splitk_matmul.py"]


class FirstLaunchTest(CommandTest):
    def command_of(self, text: str) -> list[str]:
        """The words of the command at the end of a text."""
        lines = text[text.index("\n  lockstep ") :].replace("\\\n", " ")
        return shlex.split(lines)

    def test_the_command_of_each_example_works(self):
        for name in EXAMPLES:
            with self.subTest(name):
                said = self.check(2, "run", f"examples/{name}").stderr
                self.assertIn("This command works", said)
                words = self.command_of(said)
                self.assertEqual(words[:2], ["lockstep", "run"])
                self.check(0, *words[1:])

    def test_what_each_parameter_seems_to_be(self):
        said = self.check(2, "run", "examples/softmax.py").stderr
        self.assertIn("error: run needs --grid\n", said)
        self.assertIn("\nsoftmax(x, out, x_stride, out_stride, rows, columns, BLOCK: tl.constexpr)  examples/softmax.py:", said)
        for name, kind in (("x", "pointer"), ("out", "pointer"), ("x_stride", "number"), ("columns", "number"), ("BLOCK", "constexpr")):
            self.assertRegex(said, rf"(?m)^  {name} +{kind} ")
        self.assertIn("x=randn:f32[rows,columns]", said)
        self.assertIn("out=empty:f32[rows,columns]", said)

    def test_what_is_given_is_kept(self):
        said = self.check(2, "run", "examples/softmax.py", "columns=30", "BLOCK=32").stderr
        self.assertIn("columns=30 BLOCK=32", said)
        self.assertIn("x_stride=30", said)
        self.check(0, *self.command_of(said)[1:])

    def test_missing_arguments_end_with_a_whole_command(self):
        said = self.check(2, "run", "examples/vector_add.py", "--grid", "2", "n=100").stderr
        self.assertIn("no argument for the parameter 'x' [LS2031]", said)
        words = self.command_of(said)
        self.assertIn("n=100", words)
        self.check(0, *words[1:])

    def test_a_shell_takes_each_word_as_it_was_given(self):
        """Also a path with a blank, and a text that a shell would run a part of."""
        given = "NOTE=\"it's $HOME `date`\""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "two words.py"
            text = (ROOT / "examples/vector_add.py").read_text().replace("BLOCK: tl.constexpr", "BLOCK: tl.constexpr, NOTE: tl.constexpr")
            file.write_text(text)
            words = self.command_of(self.check(2, "run", str(file), given).stderr)
            self.assertEqual(words[2], str(file))
            self.assertIn(given, words)
            self.check(0, *words[1:])

    def test_kernels_of_many_forms(self):
        kernels = """
import triton
import triton.language as tl

@triton.jit
def helper(p, i, n):
    return tl.load(p + i, mask=i < n, other=0.0)

@triton.jit
def uses_a_helper(src, dst, n, scale, BLOCK: tl.constexpr):
    pid = tl.program_id(axis=0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + offs, helper(src, offs, n) * scale, mask=offs < n)

@triton.jit
def gathers(table, index, out, n_rows, dim, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.load(index + row)
    cols = tl.arange(0, BLOCK)
    tl.store(out + row * dim + cols, tl.load(table + at * dim + cols, mask=cols < dim), mask=cols < dim)

@triton.jit
def counts(x, hist, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + offs, mask=offs < n, other=0).to(tl.int32)
    tl.atomic_add(hist + tl.minimum(tl.maximum(v, 0), 7), 1, mask=offs < n)

@triton.jit
def optional(x, bias, out, n, HAS_BIAS: tl.constexpr, KIND: tl.constexpr, BLOCK: tl.constexpr = 64):
    offs = tl.arange(0, BLOCK)
    v = tl.load(x + offs, mask=offs < n)
    if HAS_BIAS:
        v += tl.load(bias + offs, mask=offs < n)
    if KIND == "double":
        v *= 2
    tl.store(out + offs, v, mask=offs < n)
"""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "kernels.py"
            path.write_text(kernels)
            for name, found in (("uses_a_helper", ("src +pointer", "scale +number")), ("gathers", ("index +pointer", "dim +number")),
                                ("counts", ("hist +pointer",)), ("optional", ("HAS_BIAS +constexpr", "KIND +constexpr", r"BLOCK +constexpr .*has a default"))):  # fmt: skip
                with self.subTest(name):
                    said = self.check(2, "run", f"{path}::{name}").stderr
                    self.assertIn("This command works", said)
                    for one in found:
                        self.assertRegex(said, rf"(?m)^  {one}")
                    self.check(0, *self.command_of(said)[1:])

    def test_where_nothing_can_be_said_the_usage_is(self):
        for target in ("examples/matmul.py::nothing", "no_such.py", "examples/ttir/vector_add.ttir"):
            said = self.check(2, "run", target).stderr
            self.assertIn("hint: usage: lockstep run", said, target)

    def test_other_commands_say_the_same(self):
        for command in ("debug", "trace", "serve"):
            said = call(command, "examples/vector_add.py").stderr
            self.assertIn(f"\n  lockstep {command} examples/vector_add.py --grid", said, command)


class NamedShapes(CommandTest):
    LAUNCH = ("run", "examples/softmax.py", "--grid", "rows", "x_stride=100", "out_stride=100", "BLOCK=128")

    def test_shapes_name_integers_wherever_they_stand(self):
        named = self.check(0, *self.LAUNCH, "x=randn:f32[rows,columns]", "out=empty:f32[rows, columns]", "rows=8", "columns=100", "--print", "out").stdout
        plain = self.check(0, *self.LAUNCH, "rows=8", "columns=100", "x=randn:f32[8,100]", "out=empty:f32[8,100]", "--print", "out").stdout
        self.assertEqual(named[: named.index("softmax:")], plain[: plain.index("softmax:")])

    def test_expressions_and_views(self):
        self.check(0, *self.LAUNCH, "base=randn:f32[rows * next_power_of_2(columns)]", "x=view(base, shape=[rows,columns], strides=[columns,1])",
                   "out=empty:f32[rows,columns]", "rows=8", "columns=100")  # fmt: skip

    def test_what_is_no_integer_is_named(self):
        said = self.check(2, *self.LAUNCH, "x=randn:f32[lines,columns]", "out=empty:f32[8,100]", "rows=8", "columns=100").stderr
        self.assertIn("'lines' is not an integer argument [LS2021]", said)
        self.assertIn("hint: this command's integer arguments are BLOCK, columns, out_stride, rows, x_stride", said)
        said = self.check(2, "run", "examples/softmax.py", "--grid", "1", "x=randn:f32[rows]").stderr
        self.assertIn("or give rows as an integer argument: rows=64", said)


if __name__ == "__main__":
    assert ROOT
    unittest.main()
