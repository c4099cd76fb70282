# args: run {file}::copy_matrix --grid 1 base=arange:f32[4] "x=view(base, offset=0, shape=[2,4], strides=[0,1])" out=zeros:f32[2,4] row_stride=0 column_stride=1 ROWS=2 COLUMNS=4 --print out --expect out=@{folder}/stride0.npy
"""A row that is expanded to two with stride 0: both read the same storage."""

import triton
import triton.language as tl


@triton.jit
def copy_matrix(x, out, row_stride, column_stride, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, COLUMNS)[None, :]
    tl.store(out + row * COLUMNS + column, tl.load(x + row * row_stride + column * column_stride))
