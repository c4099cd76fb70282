# args: run {file} --grid 1 out=zeros:i32[1] n=3
"""Triton has no break."""

import triton
import triton.language as tl


@triton.jit
def kernel(out, n):
    for i in range(0, n):
        if i == 2:
            break
    tl.store(out, n)
