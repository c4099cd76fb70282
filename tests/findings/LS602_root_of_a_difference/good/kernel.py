# args: run {file}::deviations --grid 1 --check all x=arange:f32[20] out=zeros:f32[20] n=20 BLOCK=32
"""Negative differences count as 0."""

import triton
import triton.language as tl


@triton.jit
def deviations(x, out, n, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    value = tl.load(x + lane, mask=lane < n, other=0.0)
    tl.store(out + lane, tl.sqrt(tl.maximum(value - 3.0, 0.0)), mask=lane < n)
