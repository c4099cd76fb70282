# args: run {file}::walk --grid 1 --check all x=arange:f32[16] out=zeros:f32[16] stride=-1 BLOCK=16
"""What is assumed holds."""

import triton
import triton.language as tl


@triton.jit
def walk(x, out, stride, BLOCK: tl.constexpr):
    tl.assume(stride != 0)
    lane = tl.arange(0, BLOCK)
    tl.store(out + lane, tl.load(x + (BLOCK - 1) + lane * stride))
