# args: run {file}::repeat --grid 1 --check all x=ones:f32[16] out=zeros:f32[16] period=0 BLOCK=16
"""The remainder by a period of 0 is an address."""

import triton
import triton.language as tl


@triton.jit
def repeat(x, out, period, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    tl.store(out + lane, tl.load(x + lane % period))
