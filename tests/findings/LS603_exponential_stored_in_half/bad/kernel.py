# args: run {file}::grow --grid 1 --check all x=arange:f32[16] out=zeros:f16[16] n=16 BLOCK=16
"""exp(12) is more than f16 holds."""

import triton
import triton.language as tl


@triton.jit
def grow(x, out, n, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    value = tl.load(x + lane, mask=lane < n, other=0.0)
    tl.store(out + lane, tl.exp(value), mask=lane < n)
