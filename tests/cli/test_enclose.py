"""`lockstep enclose`: bounds of every legal result, and whether a given result lies within them."""

import json
import math
import random
import struct
import tempfile
import unittest
from pathlib import Path

from tool import CommandTest

ROWS, COLUMNS = 8, 100
SOFTMAX = [
    "examples/softmax.py::softmax",
    "--grid",
    "rows",
    "x_stride=100",
    "out_stride=100",
    "rows=8",
    "columns=100",
    "BLOCK=128",
]
ADD = [
    "examples/vector_add.py::vector_add",
    "--grid",
    "4",
    "x=randn:f32[1000]",
    "y=randn:f32[1000]",
    "out=empty:f32[1000]",
    "n=1000",
    "BLOCK=256",
]
BITS = """
import triton
import triton.language as tl

@triton.jit
def kernel(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.exp(tl.load(x + i))
    tl.store(out + i, (v - v).to(tl.int32, bitcast=True))

@triton.jit
def exponent(x, out, power, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    bits = tl.exp(tl.load(x + i)).to(tl.int32, bitcast=True)
    tl.store(out + i, bits)
    tl.store(power + i, (((bits >> 23) & 255) << 23).to(tl.float32, bitcast=True))
"""
QUOTIENT = """
import triton
import triton.language as tl

@triton.jit
def kernel(x, out, BLOCK: tl.constexpr, BY: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i) / BY)
"""
SCALED = """
import triton
import triton.language as tl

@triton.jit
def kernel(a, b, s, out):
    m = tl.arange(0, 16)
    k = tl.arange(0, 64)
    x = (tl.load(a + m[:, None] * 64 + k) & 63).to(tl.uint8)
    y = (tl.load(b + k[:, None] * 16 + m) & 63).to(tl.uint8)
    scale = tl.load(s + m[:, None] * 2 + tl.arange(0, 2)).to(tl.uint8, bitcast=True)
    tl.store(out + m[:, None] * 16 + m, tl.dot_scaled(x, scale, "e4m3", y, scale, "e5m2"))
"""
LIBDEVICE = """
import triton
import triton.language as tl
from triton.language.extra import libdevice

@triton.jit
def kernel(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.exp(tl.load(x + i))
    tl.store(out + i, libdevice.div_rn(libdevice.pow(v, 2.5) - libdevice.pow(-v, 3.0), 1 + libdevice.atan2(v, v + 1)))
"""
ASSEMBLY = """
import triton
import triton.language as tl

@triton.jit
def kernel(x, out, ASM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.exp(tl.load(x + i))
    r = tl.inline_asm_elementwise(ASM, "=f,f", [v], dtype=tl.float32, is_pure=True, pack=1)
    tl.store(out + i, r)
"""
COPY_SIGN = """module {
  tt.func public @kernel(%x: !tt.ptr<KIND>, %y: !tt.ptr<KIND>, %out: !tt.ptr<KIND>) attributes {noinline = false} {
    %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %0 = tt.splat %x : !tt.ptr<KIND> -> tensor<16x!tt.ptr<KIND>>
    %1 = tt.addptr %0, %i : tensor<16x!tt.ptr<KIND>>, tensor<16xi32>
    %2 = tt.load %1 : tensor<16x!tt.ptr<KIND>>
    %3 = tt.splat %y : !tt.ptr<KIND> -> tensor<16x!tt.ptr<KIND>>
    %4 = tt.addptr %3, %i : tensor<16x!tt.ptr<KIND>>, tensor<16xi32>
    %5 = tt.load %4 : tensor<16x!tt.ptr<KIND>>
    %6 = math.copysign %2, %5 : tensor<16xKIND>
    %7 = tt.splat %out : !tt.ptr<KIND> -> tensor<16x!tt.ptr<KIND>>
    %8 = tt.addptr %7, %i : tensor<16x!tt.ptr<KIND>>, tensor<16xi32>
    tt.store %8, %6 : tensor<16x!tt.ptr<KIND>>
    tt.return
  }
}
"""
# What a GPU may do in more than one order.
ORDERS = """
import triton
import triton.language as tl

@triton.jit
def one_place(out, BLOCK: tl.constexpr, DIVISOR: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i // DIVISOR, i)

@triton.jit
def same_number(out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i // 4, i // 4)

@triton.jit
def half_over_half(out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store((out.to(tl.pointer_type(tl.int16)) + i).to(tl.pointer_type(tl.int32)), i)

@triton.jit
def stored_twice(out, BLOCK: tl.constexpr, WHICH: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, i)
    if WHICH == "barrier":
        tl.debug_barrier()
    if WHICH == "same_thread":
        tl.store(out + i, i + 100)
    elif WHICH == "same_number":
        tl.store(out + BLOCK - 1 - i, BLOCK - 1 - i)
    else:
        tl.store(out + BLOCK - 1 - i, i + 100)
    if WHICH == "again":
        tl.store(out + BLOCK - 1 - i, i + 100)

@triton.jit
def stored_in_a_loop(out, BLOCK: tl.constexpr, STEP: tl.constexpr):
    i = tl.arange(0, BLOCK)
    for k in range(4):
        tl.store(out + k * STEP + i, i + 10 * k)

@triton.jit
def exchange(out, old, SAME: tl.constexpr):
    p = tl.program_id(0)
    tl.atomic_xchg(out, 7 if SAME else p + 1)

@triton.jit
def exchanged(out, old):
    p = tl.program_id(0)
    tl.store(old + p, tl.atomic_xchg(out + p, p))

@triton.jit
def updated(out, old, BLOCK: tl.constexpr, DIVISOR: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(old + i, tl.atomic_max(out + i // DIVISOR, i))

@triton.jit
def locked(out, lock):
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(out + tl.program_id(0), 5)
    tl.atomic_xchg(lock, 0)

@triton.jit
def swapped(out, old):
    p = tl.program_id(0)
    tl.store(old + p, tl.atomic_cas(out, 0, 1))

@triton.jit
def swapped_apart(out, old):
    tl.atomic_cas(out, 0, tl.program_id(0) + 1)

@triton.jit
def minus(a, b):
    return a - b

@triton.jit
def mixed(a, b):
    return a * 2 + b

@triton.jit
def reduced(x, out, BLOCK: tl.constexpr, WHICH: tl.constexpr):
    v = tl.load(x + tl.arange(0, BLOCK))
    if WHICH == "minus":
        r = tl.reduce(v, 0, minus)
    elif WHICH == "mixed":
        r = tl.reduce(v, 0, mixed)
    elif WHICH == "sum":
        r = tl.sum(v, axis=0)
    elif WHICH == "xor":
        r = tl.xor_sum(v, axis=0)
    elif WHICH == "larger":
        most, r = tl.reduce((v, v + 1), 0, larger)
    elif WHICH == "other_place":
        most, r = tl.reduce((v, v + 1), 0, other_place)
    else:
        r = tl.argmax(v, axis=0)
    tl.store(out, r)

@triton.jit
def larger(a0, b0, a1, b1):
    return tl.maximum(a0, a1), tl.where(a1 > a0, b1, b0)

@triton.jit
def other_place(a0, b0, a1, b1):
    return b1 | b1, a0 | a0

@triton.jit
def composed(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1

@triton.jit
def chosen_first(a0, b0, a1, b1):
    return a0 + a1, tl.where(a1 > 1.5, b1, b0)

@triton.jit
def averaged(a, b):
    return (a + b) * 0.5

@triton.jit
def welford(mean0, square0, weight0, mean1, square1, weight1):
    delta = mean1 - mean0
    weight = weight0 + weight1
    part = tl.where(weight == 0, 0.0, weight1 / weight)
    return mean0 + delta * part, square0 + square1 + delta * delta * weight0 * part, weight

@triton.jit
def counted(mean0, square0, count0, mean1, square1, count1):
    count = count0 + count1
    mean = (mean0 * count0 + mean1 * count1) / tl.maximum(count, 1)
    square = square0 + mean0 * mean0 * count0 + square1 + mean1 * mean1 * count1 - mean * mean * count
    return mean, square, count

@triton.jit
def added_exponents(most0, sum0, most1, sum1):
    most = tl.maximum(most0, most1)
    return most, sum0 * tl.exp(most0 - most) + sum1 * tl.exp(most1 - most)

@triton.jit
def product_of(a, b):
    return a * b * 1.5

@triton.jit
def doubled(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.associative_scan(tl.load(x + i), 0, product_of))

@triton.jit
def rounded(x, out, BLOCK: tl.constexpr, WHICH: tl.constexpr, SCANS: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    at = i if SCANS else 0
    if WHICH == "composed":
        r, s = tl.associative_scan((v, v), 0, composed) if SCANS else tl.reduce((v, v), 0, composed)
    elif WHICH == "chosen_first":
        r, s = tl.associative_scan((v, v), 0, chosen_first) if SCANS else tl.reduce((v, v), 0, chosen_first)
    elif WHICH == "averaged":
        s = tl.associative_scan(v, 0, averaged) if SCANS else tl.reduce(v, 0, averaged)
    elif WHICH == "welford":
        s, r, w = tl.associative_scan((v, v * 0, v * 0 + 1), 0, welford) if SCANS else tl.reduce((v, v * 0, v * 0 + 1), 0, welford)
    elif WHICH == "counted":
        s, r, w = tl.associative_scan((v, v * 0, v * 0 + 1), 0, counted) if SCANS else tl.reduce((v, v * 0, v * 0 + 1), 0, counted)
    else:
        r, s = tl.associative_scan((v, v * 0 + 1), 0, added_exponents) if SCANS else tl.reduce((v, v * 0 + 1), 0, added_exponents)
    tl.store(out + at, s)

@triton.jit
def scanned(x, out, BLOCK: tl.constexpr, WHICH: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    tl.store(out + i, tl.associative_scan(v, 0, minus) if WHICH == "minus" else tl.cumsum(v, axis=0))
"""
# Without an axis, elements are brought into one row in an order that the compiler chooses.
ORDER = """
import triton
import triton.language as tl

@triton.jit
def kernel(x, out, BLOCK: tl.constexpr, AXIS: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < BLOCK - 3, other=float("-inf"))
    most = tl.max(v, AXIS)
    tl.store(out + i, tl.exp(v - most) / tl.sum(tl.exp(v - most), AXIS))

@triton.jit
def seen(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.reshape(tl.load(x + i), (BLOCK,), can_reorder=True))
"""
# Two sums of the same terms, whose orders a GPU may choose apart: which is larger is not decided.
UNDECIDED = """
import triton
import triton.language as tl

@triton.jit
def chosen(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.sum(tl.exp(tl.load(x + i)), axis=0)
    b = tl.sum(tl.exp(tl.load(x + i)), axis=0)
    tl.store(out + i, tl.where(a >= b, 1.0, 2.0))

@triton.jit
def branched(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.sum(tl.exp(tl.load(x + i)), axis=0)
    b = tl.sum(tl.exp(tl.load(x + i)), axis=0)
    if a >= b:
        tl.store(out + i, 1.0)

@triton.jit
def looped(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    total = tl.load(x + i)
    for k in range(0, 3):
        total = total / 3.0 + k
    tl.store(out + i, total)
"""


def write_npy(path: Path, rows: list[list[float]]) -> None:
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}".ljust(117) + "\n"
    values = [value for row in rows for value in row]
    path.write_bytes(
        b"\x93NUMPY\x01\x00"
        + struct.pack("<H", len(header))
        + header.encode()
        + struct.pack(f"<{len(values)}f", *values)
    )


def softmax(row: list[float]) -> list[float]:
    most = max(row)
    parts = [math.exp(value - most) for value in row]
    return [part / sum(parts) for part in parts]


class Enclose(CommandTest):
    def softmax(self, code: int, scale: float, *words: str) -> str:
        """Holds an exact softmax times `scale` against the kernel's enclosure."""
        generator = random.Random(1)
        x = [
            [struct.unpack("f", struct.pack("f", generator.gauss(0, 1)))[0] for _ in range(COLUMNS)]
            for _ in range(ROWS)
        ]
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_npy(folder / "x.npy", x)
            write_npy(folder / "gpu.npy", [[scale * value for value in softmax(row)] for row in x])
            given = [f"x=@{folder}/x.npy", "out=empty:f32[8,100]", "--against", f"out=@{folder}/gpu.npy"]
            return self.check(code, "enclose", *SOFTMAX, *given, "--check", *words).stdout

    def test_what_is_exact_is_certain(self):
        self.assertIn("out: 1000 elements of f32, 100 % certain", self.check(0, "enclose", *ADD).stdout)

    def test_the_exact_result_lies_inside(self):
        self.assertIn("out: all 800 elements lie inside", self.softmax(0, 1))

    def test_a_wrong_scale_lies_outside(self):
        text = self.softmax(1, 1.001)
        self.assertIn("out: outside the model of tl.exp at examples/softmax.py:16:20: 800 of 800 elements", text)
        self.assertIn("first: [0, 0] is ", text)
        report = json.loads(self.softmax(1, 1.001, "--json"))
        self.assertEqual(report["verdicts"][0]["outside"], 800)
        self.assertGreater(report["verdicts"][0]["worst"]["ulp"], 100)

    def test_what_is_unknown_is_unbounded_and_named(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "k.py").write_text(BITS)
            done = self.check(
                0, "enclose", f"{folder}/k.py::kernel", "--grid", "1", "x=randn:f32[16]", "out=empty:i32[16]", "BLOCK=16"
            )
        self.assertIn("unbounded: 16", done.stdout)
        self.assertRegex(done.stdout, r"unbounded because of \.to\(bitcast=True\) at .*k.py:9")

    def written(self, text: str, kernel: str, *words: str) -> dict[str, dict]:
        """What is said of the tensors that a kernel of `text` writes, which are held against the interpreter's, too."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "k.py").write_text(text)
            done = self.check(0, "enclose", f"{folder}/k.py::{kernel}", "--grid", "1", *words, "--json", "--check")
        return {tensor["name"]: tensor for tensor in json.loads(done.stdout)["tensors"]}

    def test_bits_of_uncertain_numbers(self):
        tensors = self.written(BITS, "exponent", "x=randn:f32[16]", "out=empty:i32[16]", "power=empty:f32[16]", "BLOCK=16")
        self.assertEqual((tensors["out"]["unbounded"], tensors["power"]["unbounded"]), (0, 0))
        self.assertLess(tensors["out"]["points"], 16)
        self.assertEqual(tensors["power"]["points"], 16)

    def test_division_by_a_power_of_two_scales(self):
        words = ["x=randn:f32[16]", "out=empty:f32[16]", "BLOCK=16"]
        for divisor, points in ((64.0, 16), (0.125, 16), (3.0, 0), (2.0**120, 0)):
            out = self.written(QUOTIENT, "kernel", *words, f"BY={divisor}")["out"]
            self.assertEqual(out["points"], points, divisor)

    def test_functions_of_two_numbers(self):
        out = self.written(LIBDEVICE, "kernel", "x=randn:f32[16]", "out=empty:f32[16]", "BLOCK=16")["out"]
        self.assertEqual((out["unbounded"], out["points"]), (0, 0))
        self.assertLess(out["median_ulp"], 100)

    def test_assembly_of_floats(self):
        def unbounded(text: str) -> int:
            words = ["x=randn:f32[32]", "out=empty:f32[32]", f"ASM='{text}'", "BLOCK=32"]
            return self.written(ASSEMBLY, "kernel", *words)["out"]["unbounded"]

        chosen = "{.reg .pred p; setp.gt.f32 p, $1, 1.0; @p mul.f32 $0, $1, 0f40000000; @!p ex2.approx.ftz.f32 $0, $1;}"
        self.assertEqual(unbounded(chosen), 0)
        self.assertEqual(unbounded("fma.rn.f32 $0, $1, $1, 1.5;"), 0)
        self.assertGreater(unbounded("{.reg .pred p; setp.gt.f32 p, $1, 1.0; @p mov.f32 $0, $1; @!p sin.approx.f32 $0, $1;}"), 31)
        self.assertGreater(unbounded("{.reg .f32 a; add.rn.f32 a, $1, $1; sub.rn.f32 $1, a, a; rcp.approx.f32 $0, $1;}"), 31)

    def kinds(self, kernel: str, *words: str, grid: str = "1") -> dict[str, tuple[int, int]]:
        """Of a kernel of ORDERS: how many elements of each output are certain, and how many unbounded."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "k.py").write_text(ORDERS)
            done = self.check(0, "enclose", f"{folder}/k.py::{kernel}", "--grid", grid, *words, "--json", "--check")
        return {t["name"]: (t["points"], t["unbounded"]) for t in json.loads(done.stdout)["tensors"]}

    def test_lanes_of_one_store_may_win_in_any_order(self):
        words = ["out=zeros:i32[16]", "BLOCK=16"]
        self.assertEqual(self.kinds("one_place", *words, "DIVISOR=4")["out"], (12, 0))
        self.assertEqual(self.kinds("one_place", *words, "DIVISOR=1")["out"], (16, 0))
        self.assertEqual(self.kinds("same_number", *words)["out"], (16, 0))
        self.assertGreater(self.kinds("half_over_half", *words)["out"][1], 7)

    def test_stores_of_other_threads_may_come_in_any_order(self):
        words = ["out=zeros:i32[32]", "BLOCK=16"]
        for which, certain in (
            ("reversed", 16),
            ("again", 16),  # the first store may still be the last
            ("barrier", 32),
            ("same_thread", 32),
            ("same_number", 32),
        ):
            self.assertEqual(self.kinds("stored_twice", *words, f"WHICH='{which}'")["out"], (certain, 0), which)
        for step, certain in ((0, 64), (16, 64), (8, 64 - 24)):
            given = ["out=zeros:i32[64]", "BLOCK=16", f"STEP={step}"]
            self.assertEqual(self.kinds("stored_in_a_loop", *given)["out"], (certain, 0), step)

    def test_exchanges_and_swaps_have_no_order(self):
        words = ["out=zeros:i32[4]", "old=zeros:i32[4]"]
        self.assertEqual(self.kinds("exchange", *words, "SAME=False", grid="4")["out"], (3, 0))
        self.assertEqual(self.kinds("exchange", *words, "SAME=False", grid="1")["out"], (4, 0))
        self.assertEqual(self.kinds("exchange", *words, "SAME=True", grid="4")["out"], (4, 0))
        self.assertEqual(self.kinds("exchanged", *words, grid="4")["old"], (0, 4))
        self.assertEqual(self.kinds("exchanged", *words, grid="1")["old"], (4, 0))
        self.assertEqual(self.kinds("locked", "out=zeros:i32[4]", "lock=zeros:i32[1]", grid="4")["out"], (4, 0))
        self.assertEqual(self.kinds("swapped", *words, grid="4")["old"], (0, 4))
        self.assertEqual(self.kinds("swapped_apart", *words, grid="4")["out"][0], 0)

    def test_lanes_of_one_atomic_have_no_order(self):
        words = ["out=zeros:i32[16]", "old=zeros:i32[16]", "BLOCK=16"]
        self.assertEqual(self.kinds("updated", *words, "DIVISOR=4"), {"out": (16, 0), "old": (0, 16)})
        self.assertEqual(self.kinds("updated", *words, "DIVISOR=1"), {"out": (16, 0), "old": (16, 0)})

    def test_the_sign_of_a_small_nan_is_lost(self):
        for kind, certain in (("f16", 0), ("bf16", 0), ("f32", 16)):
            with tempfile.TemporaryDirectory() as folder:
                Path(folder, "k.ttir").write_text(COPY_SIGN.replace("KIND", kind))
                words = [f"x=full(2):{kind}[16]", f"y=full(nan):{kind}[16]", f"out=empty:{kind}[16]"]
                done = self.check(0, "enclose", f"{folder}/k.ttir", "--grid", "1", *words, "--check", "--json")
            out = json.loads(done.stdout)["tensors"][-1]
            self.assertEqual((out["points"], out["unbounded"]), (certain, 0), kind)

    def test_regions_whose_order_shows(self):
        words = ["x=arange:i32[16]", "out=zeros:i32[1]", "BLOCK=16"]
        known = {"minus": 0, "mixed": 0, "other_place": 0, "sum": 1, "xor": 1, "argmax": 1, "larger": 1}
        for which, certain in known.items():
            self.assertEqual(self.kinds("reduced", *words, f"WHICH='{which}'")["out"], (certain, 1 - certain), which)
        words[1] = "out=zeros:i32[16]"
        # One leaf, and two, have one bracketing.
        self.assertEqual(self.kinds("scanned", *words, "WHICH='minus'")["out"], (2, 0))
        self.assertEqual(self.kinds("scanned", *words, "WHICH='sum'")["out"], (16, 0))

    def test_regions_that_round_and_whose_order_shows(self):
        words = ["x=randn:f32[16]", "out=zeros:f32[16]", "BLOCK=16"]
        for which, reduced in (
            ("composed", 1),  # associative, not commutative
            ("chosen_first", 1),
            ("averaged", 1),  # commutative, not associative
            ("welford", 0),
            ("counted", 0),  # for no negative counts
            ("added_exponents", 0),
        ):
            given = [*words, f"WHICH='{which}'"]
            self.assertEqual(self.kinds("rounded", *given, "SCANS=False")["out"][1], reduced, which)
            self.assertEqual(self.kinds("rounded", *given, "SCANS=True")["out"][1], 0, which)  # every tree

    def test_a_scan_where_parts_leave_the_range(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "k.py").write_text(ORDERS)
            # In sequence every product is finite; the middle two alone make an infinity.
            write_npy(folder / "x.npy", [[1e-30, 1e30, 1e30, 1e-30]])
            words = [f"x=@{folder}/x.npy", "out=zeros:f32[4]", "BLOCK=4", "--check", "--json"]
            done = self.check(0, "enclose", f"{folder}/k.py::doubled", "--grid", "1", *words)
        widths = json.loads(done.stdout)["tensors"][-1]
        self.assertEqual(widths["unbounded"], 0)
        self.assertIsNone(widths["max_ulp"])  # infinite

    def test_one_element_is_what_it_is(self):
        for which in ("welford", "added_exponents"):
            words = ["x=full(0.7):f32[1]", "out=zeros:f32[1]", "BLOCK=1", f"WHICH='{which}'", "SCANS=False"]
            self.kinds("rounded", *words)

    def test_scaled_products_are_bounded(self):
        words = ["a=arange:i32[16,64]", "b=arange:i32[64,16]", "s=full(120):i8[16,2]", "out=empty:f32[16,16]"]
        self.assertEqual(self.written(SCALED, "kernel", *words)["out"]["unbounded"], 0)

    def test_an_order_that_nobody_sees_does_not_matter(self):
        launch = ["x=randn:f32[64]", "out=empty:f32[64]", "BLOCK=64"]
        whole = self.written(ORDER, "kernel", *launch, "AXIS=None")["out"]
        one = self.written(ORDER, "kernel", *launch, "AXIS=0")["out"]
        for each in (whole, one):
            each["models"] = len(each["models"])  # they name a file that is another each time
        self.assertEqual(whole, one)
        self.assertEqual(whole["unbounded"], 0)
        seen = self.written(ORDER, "seen", *launch)["out"]
        self.assertEqual(seen["points"], 0)

    def enclose(self, kernel: str, expected: float, code: int) -> str:
        """Runs a kernel of UNDECIDED, its outputs held against `expected` everywhere."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "k.py").write_text(UNDECIDED)
            write_npy(folder / "gpu.npy", [[expected] * 16])
            given = ["x=randn:f32[1,16]", "out=zeros:f32[1,16]", "BLOCK=16", "--against", f"out=@{folder}/gpu.npy"]
            return self.check(code, "enclose", f"{folder}/k.py::{kernel}", "--grid", "1", *given, "--check").stdout

    def test_an_undecided_selection_gives_the_hull_of_both_sides(self):
        self.assertIn("all 16 elements lie inside", self.enclose("chosen", 2.0, 0))
        self.assertIn("legal is 1 to 2", self.enclose("chosen", 2.5, 1))

    def test_an_undecided_branch_that_stores_makes_all_that_is_written_unbounded(self):
        text = self.enclose("branched", 7.0, 0)
        self.assertIn("unbounded: 16", text)
        self.assertRegex(text, r"unbounded because of if at .*: nothing is known about the stored values")

    def test_loops_carry_bounds(self):
        self.assertIn("of 16 elements lie outside", self.enclose("looped", 2.9, 1))

    def test_usage(self):
        self.assertIn("\n  lockstep enclose examples/softmax.py --grid rows ", self.check(2, "enclose", "examples/softmax.py").stderr)


class Comparisons(CommandTest):
    """Every predicate of arith.cmpf on uncertain numbers, below, above and beside NaN: --check holds the run against the bounds."""

    TTIR = """module {
  tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<i8>) attributes {noinline = false} {
    %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %xv = tt.load %xp : tensor<8x!tt.ptr<f32>>
    %e = math.exp %xv : tensor<8xf32>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %yp = tt.addptr %ys, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %yv = tt.load %yp : tensor<8x!tt.ptr<f32>>
    %c = arith.cmpf PREDICATE, %e, %yv : tensor<8xf32>
    %w = arith.extui %c : tensor<8xi1> to tensor<8xi8>
    %os = tt.splat %out : !tt.ptr<i8> -> tensor<8x!tt.ptr<i8>>
    %op = tt.addptr %os, %i : tensor<8x!tt.ptr<i8>>, tensor<8xi32>
    tt.store %op, %w : tensor<8x!tt.ptr<i8>>
    tt.return
  }
}
"""

    def test_every_predicate_holds_its_own_result(self):
        predicates = ["false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une",
                      "uno", "true"]  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "k.ttir"
            for predicate in predicates:
                path.write_text(self.TTIR.replace("PREDICATE", predicate))
                pairs = (("randn", "full(100.0)"), ("randn", "full(-1.0)"), ("randn", "full(nan)"), ("full(nan)", "randn"))
                for x, y in pairs:
                    words = [f"x={x}:f32[8]", f"y={y}:f32[8]", "out=zeros:i8[8]"]
                    done = self.check(0, "enclose", str(path), "--grid", "1", "--check", *words)
                    self.assertIn("100 % certain", done.stdout, (predicate, x, y))


if __name__ == "__main__":
    unittest.main()
