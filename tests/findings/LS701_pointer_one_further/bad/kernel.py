# args: run {file}::shift_left --grid 1 --check all x=arange:f32[33] out=zeros:f32[32] BLOCK=32
"""Pointers from the second element on are promised to be multiples of 16 bytes."""

import triton
import triton.language as tl


@triton.jit
def shift_left(x, out, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    source = tl.multiple_of(x + 1 + lane, 16)
    tl.store(out + lane, tl.load(source))
