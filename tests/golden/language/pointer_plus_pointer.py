# args: run {file} --grid 1 x=zeros:i8[4] out=zeros:i8[4]
"""Two pointers cannot be added."""

import triton
import triton.language as tl


@triton.jit
def kernel(x, out):
    tl.store(x + out, 1)
