# args: run {file}::sum_of_squares --grid 2 --check all --fail-on warning "x=full(50000):i32[2,16]" out=zeros:i32[2] BLOCK=16
"""50000 * 50000 is more than 32 signed bits hold."""

import triton
import triton.language as tl


@triton.jit
def sum_of_squares(x, out, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    values = tl.load(x + row * BLOCK + tl.arange(0, BLOCK))
    tl.store(out + row, tl.sum(values * values))
