# args: run {file}::scale --check all --grid 1 x=randn:f32[24] b=randn:f32[24] out=empty:f32[1] n=24 BLOCK=32 --print out
"""The same with a bias in place of the weights: a large one in a missing lane is the maximum."""

import triton
import triton.language as tl


@triton.jit
def scale(x, b, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    value = tl.load(x + i, mask=i < n, other=0.0) + tl.load(b + i, mask=i < n)
    tl.store(out, tl.max(tl.abs(value), axis=0))
