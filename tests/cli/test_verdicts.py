"""What `lockstep enclose` may say of an element outside: a proven fault, or outside of a model that is named."""

import json
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


class Verdicts(CommandTest):
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
