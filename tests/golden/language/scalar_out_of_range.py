# args: run {file} --grid 1 x=zeros:i8[4] out=zeros:i32[4]
"""300 is no i8."""

import triton
import triton.language as tl


@triton.jit
def kernel(x, out):
    index = tl.arange(0, 4)
    tl.store(out + index, tl.load(x + index) + 300)
