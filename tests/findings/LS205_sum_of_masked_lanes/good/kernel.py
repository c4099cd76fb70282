# args: run {file}::row_mean --check all --grid "rows" x=arange:f32[4,100] out=empty:f32[4] rows=4 n=100 BLOCK=128
"""Masked lanes are 0, which a sum does not notice."""

import triton
import triton.language as tl


@triton.jit
def row_mean(x, out, rows, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    value = tl.load(x + row * n + column, mask=column < n, other=0.0)
    mean = tl.sum(value, axis=0) / n
    tl.store(out + row, mean)
