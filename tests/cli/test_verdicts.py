"""What `lockstep enclose` may say of an element outside: a proven fault, or outside of a model that is named."""

import json
import struct
import tempfile
import unittest
from pathlib import Path

from test_enclose import write_npy
from tool import CommandTest

MODELS = """import triton
import triton.language as tl

@triton.jit
def affine(a0, b0, a1, b1):
    return a0 * a1, a1 * b0 + b1

@triton.jit
def summed(x, out):
    tl.store(out + tl.arange(0, 16), tl.sum(tl.load(x + tl.arange(0, 16))))
@triton.jit
def recurred(x, out):
    v = tl.load(x + tl.arange(0, 16))
    tl.store(out + tl.arange(0, 16), tl.associative_scan((v, v), 0, affine)[1])
@triton.jit
def chained(x, out):
    v = tl.load(x + tl.arange(0, 16))
    e = tl.exp(v)
    for i in range(3):
        e = tl.maximum(e, v) * 0.5
    tl.store(out + tl.arange(0, 16), tl.sum(e) + v)
@triton.jit
def decided(x, out):
    if tl.exp(tl.load(x)) > -1.0:
        tl.store(out + tl.arange(0, 16), 1.0)
    else:
        tl.store(out + tl.arange(0, 16), 2.0)
@triton.jit
def through_memory(x, out, y):
    k = tl.arange(0, 16)
    v = tl.load(x + k)
    tl.store(y + k, tl.exp(v))
    tl.debug_barrier()
    tl.store(out + k, tl.load(y + k) + 1.0)

@triton.jit
def masked(x, out):
    k = tl.arange(0, 16)
    v = tl.load(x + k)
    tl.store(out + k, k * 1.0, mask=tl.exp(v) > -1.0)
"""

#: Either store of a pair may be the last; o and p lie on pages of their own.
TWICE = """module {
  tt.func public @k(%o: !tt.ptr<f32>, %p: !tt.ptr<f32>) {
    %one = arith.constant 1.000000e+00 : f32
    %two = arith.constant 2.000000e+00 : f32
    tt.store %o, %one : !tt.ptr<f32>
    tt.store %o, %two : !tt.ptr<f32>
    tt.store %p, %one : !tt.ptr<f32>
    tt.store %p, %two : !tt.ptr<f32>
    tt.return
  }
}
"""
#: Not associative where a place has numbers of both signs: (1, -1, 2) gives 2 from the left and 1 from the right.
MIXED = """module {
  tt.func public @k(%x: !tt.ptr<i32>, %o: !tt.ptr<i32>) {
    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %xa = tt.addptr %xs, %r : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
    %os = tt.splat %o : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %oa = tt.addptr %os, %r : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
    %v = tt.load %xa : tensor<4x!tt.ptr<i32>>
    %s = "tt.scan"(%v) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.cmpi slt, %a, %b : i32
      %d = arith.cmpi ult, %a, %b : i32
      %e = arith.andi %c, %d : i1
      %f = arith.select %e, %a, %b : i32
      tt.scan.return %f : i32
    }) : (tensor<4xi32>) -> tensor<4xi32>
    tt.store %oa, %s : tensor<4x!tt.ptr<i32>>
    tt.return
  }
}
"""


def write_integers(path: Path, values: list[int]) -> None:
    head = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({len(values)},), }}".encode()
    head += b" " * (117 - len(head)) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + struct.pack(f"<{len(values)}i", *values))


class Verdicts(CommandTest):
    def test_every_store_on_a_store_is_a_model(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "k.ttir").write_text(TWICE)
            write_npy(Path(folder, "one.npy"), [[1.0] * 5000])
            given = [f"{folder}/k.ttir", "--grid", "1"]
            for name in ("o", "p"):
                given += [f"{name}=zeros:f32[1,5000]", "--against", f"{name}=@{folder}/one.npy"]
            text = self.check(1, "enclose", *given).stdout
        self.assertNotIn("fault", text)
        for name in ("o", "p"):
            self.assertRegex(text, rf"{name}: outside the model of tl\.store at ")

    def test_integers_read_with_and_without_sign_are_no_choice(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "k.ttir").write_text(MIXED)
            write_integers(Path(folder, "x.npy"), [1, -1, 2, 3])
            write_integers(Path(folder, "right.npy"), [1, -1, 1, 1])
            given = [f"{folder}/k.ttir", "--grid", "1", f"x=@{folder}/x.npy", "o=zeros:i32[4]"]
            text = self.check(0, "enclose", *given, "--against", f"o=@{folder}/right.npy").stdout
        self.assertNotIn("fault", text)

    def test_a_fault_is_proven_only_by_proofs(self):
        def judged(kernel: str, *words: str) -> tuple[str, dict]:
            with tempfile.TemporaryDirectory() as folder:
                Path(folder, "k.py").write_text(MODELS)
                write_npy(Path(folder, "gpu.npy"), [[-7.0] * 16])
                given = [f"{folder}/k.py::{kernel}", "--grid", "1", "x=randn:f32[1,16]", "out=zeros:f32[1,16]", *words]
                given += ["--against", f"out=@{folder}/gpu.npy"]
                text = self.check(1, "enclose", *given).stdout
                return text, json.loads(self.check(1, "enclose", *given, "--json").stdout)

        for kernel in ("summed", "recurred"):
            text, report = judged(kernel)
            self.assertIn("out: a proven fault: ", text, kernel)
            self.assertEqual((report["verdicts"][0]["basis"], report["verdicts"][0]["models"]), ("proof", []))
        for kernel, line in (("chained", 18), ("decided", 24), ("through_memory", 32), ("masked", 40)):
            text, report = judged(kernel, *(["y=zeros:f32[1,16]"] if kernel == "through_memory" else []))
            self.assertRegex(text, rf"out: outside the model of tl\.exp at .*k\.py:{line}:\d+: ", kernel)
            self.assertNotIn("fault", text)
            self.assertEqual(report["verdicts"][0]["basis"], "model", kernel)


if __name__ == "__main__":
    unittest.main()
