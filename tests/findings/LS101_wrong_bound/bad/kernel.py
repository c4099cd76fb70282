# args: run {file}::scale_rows --grid 1 x=randn:f32[48,96] out=zeros:f32[48,96] rows=48 columns=96 ROWS=64 COLUMNS=128
"""Both dimensions are compared with the number of columns, so rows 48 to 63 are read."""

import triton
import triton.language as tl


@triton.jit
def scale_rows(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    place = row[:, None] * columns + column[None, :]
    loaded = tl.load(x + place, mask=(row[:, None] < columns) & (column[None, :] < columns), other=0.0)
    tl.store(out + place, loaded * 2, mask=(row[:, None] < rows) & (column[None, :] < columns))
