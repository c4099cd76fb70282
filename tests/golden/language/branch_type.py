# args: run {file} --grid 1 out=zeros:f32[1] n=3
"""Both branches must give one type."""

import triton
import triton.language as tl


@triton.jit
def kernel(out, n):
    if n > 2:
        value = 1
    else:
        value = 2.0
    tl.store(out, value)
