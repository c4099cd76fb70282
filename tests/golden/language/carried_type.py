# args: run {file} --grid 1 out=zeros:f32[1] n=3
"""A value carried by a loop keeps its type."""

import triton
import triton.language as tl


@triton.jit
def kernel(out, n):
    total = 0
    for i in range(0, n):
        total = total + 0.5
    tl.store(out, total)
