# args: run {file}::center --check all --grid 1 x=randn:f32[24] out=empty:f32[24] n=24 BLOCK=32
"""The sum takes missing lanes of the first load to all others; the second load's own stay under its mask: the first is at fault."""

import triton
import triton.language as tl


@triton.jit
def center(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    mean = tl.sum(
        tl.load(x + i, mask=i < n),
        axis=0,
    ) / n
    value = tl.load(x + i, mask=i < n)
    tl.store(out + i, value - mean, mask=i < n)
