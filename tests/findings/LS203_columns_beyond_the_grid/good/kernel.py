# args: run {file}::double --fail-on warning --check all --grid "cdiv(rows, TILE),cdiv(columns, TILE)" x=arange:f32[40,100] out=empty:f32[40,100] rows=40 columns=100 TILE=32
"""Both are rounded up."""

import triton
import triton.language as tl


@triton.jit
def double(x, out, rows, columns, TILE: tl.constexpr):
    row = tl.program_id(0) * TILE + tl.arange(0, TILE)[:, None]
    column = tl.program_id(1) * TILE + tl.arange(0, TILE)[None, :]
    mask = (row < rows) & (column < columns)
    place = row * columns + column
    tl.store(out + place, tl.load(x + place, mask=mask) * 2, mask=mask)
