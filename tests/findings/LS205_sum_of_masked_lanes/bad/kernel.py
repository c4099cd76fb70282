# args: run {file}::row_mean --check all --grid "rows" x=arange:f32[4,100] out=empty:f32[4] rows=4 n=100 BLOCK=128
"""Lanes 100..127 of each row are masked off and get no value; the sum adds them."""

import triton
import triton.language as tl


@triton.jit
def row_mean(x, out, rows, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    value = tl.load(x + row * n + column, mask=column < n)
    mean = tl.sum(value, axis=0) / n
    tl.store(out + row, mean)
