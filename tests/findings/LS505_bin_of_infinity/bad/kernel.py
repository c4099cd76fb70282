# args: run {file}::look_up --grid 1 --check all x=ones:f32[16] step=zeros:f32[1] table=arange:f32[8] out=zeros:f32[16] BLOCK=16
"""A step of 0 makes the quotient infinite, and infinity has no integer; it is used as an index."""

import triton
import triton.language as tl


@triton.jit
def look_up(x, step, table, out, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    bin = (tl.load(x + lane) / tl.load(step)).to(tl.int32)
    tl.store(out + lane, tl.load(table + tl.minimum(tl.maximum(bin, 0), 7)))
