# args: run {file}::clipped_sum --check all --grid 1 x=randn:f32[24] out=empty:f32[1] n=24 BLOCK=32
"""NaN and very large numbers would not count in the missing lanes, but 1 does."""

import triton
import triton.language as tl


@triton.jit
def clipped_sum(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    value = tl.load(x + i, mask=i < n)
    tl.store(out, tl.sum(tl.where(tl.abs(value) < 5.0, value, 0.0), axis=0))
