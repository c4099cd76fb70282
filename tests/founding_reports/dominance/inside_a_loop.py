# args: run {file}::inside_a_loop --grid 1 out=zeros:f32[1] n=3
"""A name that a loop body defines first is not there after the loop, which may not have run."""

import triton
import triton.language as tl


@triton.jit
def inside_a_loop(out, n):
    for i in range(0, n):
        value = i * 2.0
    tl.store(out, value)
