# args: run {file}::copy_rows --fail-on warning --check all --grid "rows,cdiv(columns, BLOCK)" x=arange:f32[4,96] out=empty:f32[4,96] rows=4 columns=96 BLOCK=32
"""The store's mask was meant to keep a halo at the end of the row and leaves out the last lane of every block."""

import triton
import triton.language as tl


@triton.jit
def copy_rows(x, out, rows, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lane = tl.arange(0, BLOCK)
    column = tl.program_id(1) * BLOCK + lane
    value = tl.load(x + row * columns + column, mask=column < columns, other=0.0)
    tl.store(out + row * columns + column, value, mask=(column < columns) & (lane < BLOCK - 1))
