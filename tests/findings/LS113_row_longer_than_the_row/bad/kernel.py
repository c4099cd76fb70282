# args: run {file}::scale --grid 7 --check all,-tiles --fail-on warning x=randn:f32[8,100] y=empty:f32[7,128] columns=100 BLOCK=128
"""The block is the next power of two of the row: the load takes 28 elements of the row behind."""

import triton
import triton.language as tl


@triton.jit
def scale(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + i)
    tl.store(y + row * BLOCK + i, value * 2)
