# args: run {file}::variance --grid 256 --check all --fail-on warning x=arange:f32[256,1024] out=zeros:f32[256] n=1024 BLOCK=1024
"""The mean goes first."""

import triton
import triton.language as tl


@triton.jit
def variance(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    values = tl.load(x + row * n + columns, mask=columns < n, other=0.0)
    mean = tl.sum(values) / n
    apart = tl.where(columns < n, values - mean, 0.0)
    tl.store(out + row, tl.sum(apart * apart) / n)
