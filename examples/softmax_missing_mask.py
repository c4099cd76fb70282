"""softmax.py with its mask forgotten: every row also sums the start of the next one, and the last row leaves its tensor.

Each program reads and writes BLOCK - columns elements too far. Inside the tensor that is a wrong answer that nothing can
notice; at its end it is an out-of-bounds read and write (LS101).

lockstep run examples/softmax_missing_mask.py::softmax --grid rows x=randn:f32[1823,781] out=empty:f32[1823,781] x_stride=781 out_stride=781 rows=1823 columns=781 BLOCK=1024
"""

import triton
import triton.language as tl


@triton.jit
def softmax(x, out, x_stride, out_stride, rows, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    value = tl.load(x + row * x_stride + column)
    power = tl.exp(value - tl.max(value, axis=0))
    tl.store(out + row * out_stride + column, power / tl.sum(power, axis=0))
