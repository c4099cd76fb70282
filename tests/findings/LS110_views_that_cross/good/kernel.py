# args: run {file}::add --fail-on info --check all --grid 1 base=arange:f32[256] "x=view(base, offset=0, shape=[16,8], strides=[16,1])" out=zeros:f32[16,8] N=16
"""The columns go to a matrix of their own."""

import triton
import triton.language as tl


@triton.jit
def add(base, x, out, N: tl.constexpr):
    row, column = tl.arange(0, N)[:, None], tl.arange(0, 8)[None, :]
    value = tl.load(x + row * 16 + column)
    tl.debug_barrier()
    tl.store(out + row * 8 + column, value + 1.0)
