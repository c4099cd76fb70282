# args: run {file}::shift_left --grid 1 --check all x=arange:f32[33] out=zeros:f32[32] BLOCK=32
"""Nothing is promised."""

import triton
import triton.language as tl


@triton.jit
def shift_left(x, out, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    source = x + 1 + lane
    tl.store(out + lane, tl.load(source))
