# args: run {file} --grid 1 out=zeros:f32[4] n=4
"""The ends of a range are constants."""

import triton
import triton.language as tl


@triton.jit
def kernel(out, n):
    index = tl.arange(0, n)
    tl.store(out + index, 1.0)
