# args: run {file}::distance --grid 4 --check all,cancellation --fail-on warning x=rand:f32[512] out=zeros:f32[512] scale=0.0003 BLOCK=128
"""Distances of small angles on a circle as 1 - cos(x): of 1 there is little left."""

import triton
import triton.language as tl


@triton.jit
def distance(x, out, scale, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    angle = tl.load(x + index) * scale
    tl.store(out + index, 1.0 - tl.cos(angle))
