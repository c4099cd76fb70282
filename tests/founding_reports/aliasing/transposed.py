# args: run {file}::copy_matrix --grid 1 base=arange:f32[2,4] "x=view(base, offset=0, shape=[4,2], strides=[1,4])" out=zeros:f32[4,2] row_stride=1 column_stride=4 ROWS=4 COLUMNS=2 --print out --expect out=@{folder}/transposed.npy
"""A transposed view of a row-major matrix."""

import triton
import triton.language as tl


@triton.jit
def copy_matrix(x, out, row_stride, column_stride, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, COLUMNS)[None, :]
    tl.store(out + row * COLUMNS + column, tl.load(x + row * row_stride + column * column_stride))
