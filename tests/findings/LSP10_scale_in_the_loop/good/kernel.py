# args: run {file}::weighted --grid 1 --fail-on info --check all,lints x=rand:f32[8,64] weight=rand:f32[1] out=zeros:f32[64] n=8 B=64
"""The scale is loaded once."""

import triton
import triton.language as tl


@triton.jit
def weighted(x, weight, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros([B], tl.float32)
    w = tl.load(weight)
    for k in range(n):
        total += w * tl.load(x + k * B + i)
    tl.store(out + i, total)
