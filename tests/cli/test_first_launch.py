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
                self.assertIn("This command runs to the end", said)
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

    def test_a_grid_among_the_arguments_is_the_option(self):
        said = self.check(2, "run", "examples/vector_add.py", "grid=2", "n=100").stderr
        words = self.command_of(said)
        self.assertEqual(words[3:5], ["--grid", "2"])
        self.assertNotIn("grid=2", words)
        self.check(0, *words[1:])

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
                    self.assertIn("This command runs to the end", said)
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
        said = call("serve", "--listen", "127.0.0.1:0", "examples/vector_add.py", "--open").stderr
        words = self.command_of(said)
        self.assertEqual(words[words.index("--listen") :][:3], ["--listen", "127.0.0.1:0", "--open"])

    def test_trace_and_enclose_end_with_a_whole_command_too(self):
        with tempfile.TemporaryDirectory() as folder:
            page = f"{folder}/a.html"
            for command, own in (("trace", ["--html", page, "--limit", "3MiB"]), ("enclose", ["--json", "--spread-sums"])):
                with self.subTest(command):
                    said = self.check(2, command, "examples/vector_add.py", "--grid", "2", "n=100", *own).stderr
                    self.assertIn("no argument for the parameter 'x' [LS2031]", said)
                    words = self.command_of(said)
                    self.assertEqual([word for word in words if word in own], own)
                    self.check(0, *words[1:])

    def test_a_command_has_the_options_that_it_needs(self):
        said = self.check(2, "trace", "examples/vector_add.py").stderr
        self.assertIn(" --html vector_add.html ", said.replace("\\\n   ", ""))
        with tempfile.TemporaryDirectory() as folder:
            given = f"out=@{folder}/gpu.npy"
            launch = ["examples/vector_add.py", "--grid", "2", "x=ones:f32[100]", "y=ones:f32[100]", "out=empty:f32[100]", "n=100", "BLOCK=64"]
            self.check(0, "run", *launch, "--save", given)
            said = self.check(2, "enclose", "examples/vector_add.py", "--grid", "2", "n=100", "--against", given).stderr
            words = self.command_of(said)
            self.assertEqual(words[words.index("--against") + 1], given)


class WhatTheCommandFinds(CommandTest):
    """The command is tried as it is when it is pasted, and what is said of it is what it then says itself."""

    KERNELS = """
import triton
import triton.language as tl

@triton.jit
def races(x, counts, n):
    i = tl.program_id(0)
    v = tl.load(x + i)
    tl.store(counts + v, tl.load(counts + v) + 1)

@triton.jit
def loses(x, counts, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    v = tl.load(x + offsets, mask=mask, other=0)
    tl.store(counts + v, tl.load(counts + v, mask=mask) + 1, mask=mask)

@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        ka = k * BK + rk
        x = tl.load(a + rm[:, None] * K + ka[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        y = tl.load(b + ka[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

@triton.jit
def scaled(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    place = row[:, None] * columns + column[None, :]
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    tl.store(out + place, tl.load(x + place, mask=inside) * 2, mask=inside)
"""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "kernels.py"
        self.path.write_text(self.KERNELS)

    def first(self, kernel: str, *words: str, command: str = "run") -> tuple[str, list[str]]:
        """What is said, and the words of its command."""
        said = call(command, f"{self.path}::{kernel}", *words).stderr
        return said, shlex.split(said[said.index("\n  lockstep ") :].replace("\\\n", " "))[1:]

    def test_what_the_pasted_command_finds_is_said(self):
        for kernel, code in (("races", "LS302"), ("loses", "LS407"), ("matmul", "LS101")):
            with self.subTest(kernel):
                said, words = self.first(kernel)
                self.assertRegex(said, rf"This command runs to the end \(\d+ programs?\) and finds\n  {code}: ")
                self.assertIn(f"[{code}]", self.check(1, *words).stdout)
        said, words = self.first("scaled")
        self.assertIn("with these numbers nothing is found", said)
        self.assertIn("findings: none", self.check(0, *words).stdout)

    def test_shapes_are_named_and_no_tile_divides_them(self):
        _, words = self.first("matmul")
        self.assertIn("a=randn:f32[M,K]", words)
        self.assertIn("b=randn:f32[K,N]", words)
        numbers = dict(word.split("=") for word in words if "=" in word)
        for extent, tile in (("M", "BM"), ("N", "BN"), ("K", "BK")):
            self.assertNotEqual(int(numbers[extent]) % int(numbers[tile]), 0, words)
        _, words = self.first("scaled")
        self.assertIn("x=randn:f32[rows,columns]", words)
        _, words = self.first("races")
        self.assertIn("counts=zeros:i32[64]", words)

    def test_given_tensors_decide_numbers_and_grid(self):
        for given in (["x=ones:f32[5,100]"], ["--grid", "cdiv(rows, ROWS)", "x=ones:f32[5,100]"]):
            _, words = self.first("scaled", *given)
            for one in ("rows=5", "columns=100", "COLUMNS=128"):
                self.assertIn(one, words, given)
            self.check(0, *words)

    def test_missing_numbers_are_hinted_as_numbers(self):
        said, words = self.first("scaled", "--grid", "1", "x=ones:f32[5,100]", "colums=90")
        self.assertIn("hint: add columns=90 (a number)\n", said)
        self.assertIn("hint: add rows=5 (a number)\n", said)
        self.assertIn("hint: add COLUMNS=128 (a tl.constexpr)\n", said)
        self.assertIn("hint: add out=empty:f32[rows,columns] (a pointer)\n", said)
        self.assertIn("columns=90", words)
        self.assertNotIn("colums=90", words)

    def test_given_options_are_kept(self):
        given = ["--as", "sm_80", "--max-memory", "1GB", "--num-warps", "8", "--path", "/two words", "--expect", "out=@/nowhere.npy"]
        for command in ("run", "debug", "serve"):
            _, words = self.first("races", *given, command=command)
            at = [words[i : i + 2] for i in range(len(words))]
            for flag, value in zip(given[::2], given[1::2], strict=True):
                self.assertIn([flag, value], at, command)
        _, words = self.first("races", "--grid", "2, 1", "--fp-fusion", "on", "x=zeros:i32[2]")  # where arguments are missing
        self.assertIn("--grid", words)
        self.assertIn("2, 1", words)
        self.assertIn(["--fp-fusion", "on"], [words[i : i + 2] for i in range(len(words))])

    def test_options_that_cannot_be_are_part_of_the_trial(self):
        said, _ = self.first("scaled", "--as", "sm_1")
        self.assertIn("A command to begin with; tried, it stops with: ", said)

    def test_several_kernels_are_listed_each_with_a_command(self):
        for words in ([], ["--grid", "1"]):
            said = self.check(2, "run", str(self.path), *words).stderr
            self.assertIn(f"{self.path} has 4 kernels; each of these commands tells how to launch one:\n", said)
            self.assertIn("  races(x, counts, n)\n", said)
            for name in ("races", "loses", "matmul", "scaled"):
                self.assertIn(f"\n    lockstep run {self.path}::{name}\n", said)


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
