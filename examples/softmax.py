"""Softmax of every row, fused: a row is read once, reduced twice and written once. One program for each row.

lockstep run examples/softmax.py::softmax --grid rows x=randn:f32[1823,781] out=empty:f32[1823,781] x_stride=781 out_stride=781 rows=1823 columns=781 BLOCK=1024 --print out
"""

import triton
import triton.language as tl


@triton.jit
def softmax(x, out, x_stride, out_stride, rows, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    value = tl.load(x + row * x_stride + column, mask=inside, other=float("-inf"))
    power = tl.exp(value - tl.max(value, axis=0))
    tl.store(out + row * out_stride + column, power / tl.sum(power, axis=0), mask=inside)
