# args: run {file}::lengths --grid 16 --fail-on info --check all,lints x=rand:f32[16,3] out=zeros:f32[16] B=128
"""Points of three coordinates in tiles of 128 lanes."""

import triton
import triton.language as tl


@triton.jit
def lengths(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    v = tl.load(x + tl.program_id(0) * 3 + i, mask=i < 3, other=0.0)
    tl.store(out + tl.program_id(0), tl.sqrt(tl.sum(v * v)))
