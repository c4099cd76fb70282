# args: run {file}::row_sum --check all --grid rows x=arange:f32[4,100] out=empty:f32[4] rows=4 n=100 window=120 BLOCK=128
"""Lanes are taken out by the window, which is wider than the row."""

import triton
import triton.language as tl


@triton.jit
def row_sum(x, out, rows, n, window, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    value = tl.load(x + row * n + column, mask=column < n)
    kept = tl.where(column < window, value, 0.0)
    tl.store(out + row, tl.sum(kept))
