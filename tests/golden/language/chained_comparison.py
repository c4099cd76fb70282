# args: run {file} --grid 1 out=zeros:i32[4] n=2
"""One comparison at a time."""

import triton
import triton.language as tl


@triton.jit
def kernel(out, n):
    index = tl.arange(0, 4)
    tl.store(out + index, index, mask=0 < index < n)
