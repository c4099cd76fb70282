# args: run {file}::scale --check all --grid 1 x=randn:f32[24] w=randn:f32[24] out=empty:f32[1] n=24 BLOCK=32 --print out
"""The weights of lanes 24..31 are missing, but 0 times any number is 0 or NaN, which the maximum leaves out."""

import triton
import triton.language as tl


@triton.jit
def scale(x, w, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    value = tl.load(x + i, mask=i < n, other=0.0) * tl.load(w + i, mask=i < n)
    tl.store(out, tl.max(tl.abs(value), axis=0))
