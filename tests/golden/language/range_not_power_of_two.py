# args: run {file} --grid 1 out=zeros:f32[4]
"""A range has a power of two elements."""

import triton
import triton.language as tl


@triton.jit
def kernel(out):
    index = tl.arange(0, 3)
    tl.store(out + index, 1.0)
