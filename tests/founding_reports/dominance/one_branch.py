# args: run {file}::one_branch --grid 1 out=zeros:f32[1] n=3
"""A name that only one branch defines is not there after the if: Triton says so when it compiles, and so do we."""

import triton
import triton.language as tl


@triton.jit
def one_branch(out, n):
    if n > 0:
        value = 2.0
    tl.store(out, value)
