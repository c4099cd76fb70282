# args: run {file}::row_sums --grid 8 base=randn:f32[8,16] "x=view(base, offset=0, shape=[8,4], strides=[16,2])" out=zeros:f32[8] row_stride=16 column_stride=2 columns=4 BLOCK=4
"""The strides are swapped: the reads stay inside the allocation and leave the view, whose rows have gaps."""

import triton
import triton.language as tl


@triton.jit
def row_sums(x, out, row_stride, column_stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    value = tl.load(x + row * column_stride + column * row_stride)
    tl.store(out + row, tl.sum(value, axis=0))
