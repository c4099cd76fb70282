# args: run {file}::variance --grid 256 --check all --fail-on warning x=arange:f32[256,1024] out=zeros:f32[256] n=1024 BLOCK=1024
"""Numbers in the hundred thousands that differ by little: E[x^2] - E[x]^2 is a difference of rounding errors."""

import triton
import triton.language as tl


@triton.jit
def variance(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    values = tl.load(x + row * n + columns, mask=columns < n, other=0.0)
    mean = tl.sum(values) / n
    tl.store(out + row, tl.sum(values * values) / n - mean * mean)
