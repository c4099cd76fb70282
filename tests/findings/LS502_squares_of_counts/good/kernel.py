# args: run {file}::sum_of_squares --grid 2 --check all --fail-on warning "x=full(50000):i32[2,16]" out=zeros:i64[2] BLOCK=16
"""Squares and sums have 64 bits."""

import triton
import triton.language as tl


@triton.jit
def sum_of_squares(x, out, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    values = tl.load(x + row * BLOCK + tl.arange(0, BLOCK))
    values = values.to(tl.int64)
    tl.store(out + row, tl.sum(values * values))
