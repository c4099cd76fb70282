# args: run {file}::normalise --fail-on info --check all --grid rows x=rand:f32[4,64] out=empty:f32[4,64] rows=4 BLOCK=64
"""The result has memory of its own."""

import triton
import triton.language as tl


@triton.jit
def normalise(x, out, rows, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + place)
    tl.store(out + place, value / (tl.max(value) + 1.0))
