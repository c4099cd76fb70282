# args: run {file}::add --fail-on info --check all --grid 1 base=arange:f32[256] "x=view(base, offset=0, shape=[16,8], strides=[16,1])" "out=view(base, offset=4, shape=[16,8], strides=[16,1])" N=16
"""Columns 0..7 are read and columns 4..11 of the same matrix are written."""

import triton
import triton.language as tl


@triton.jit
def add(base, x, out, N: tl.constexpr):
    place = tl.arange(0, N)[:, None] * 16 + tl.arange(0, 8)[None, :]
    value = tl.load(x + place)
    tl.debug_barrier()
    tl.store(out + place, value + 1.0)
