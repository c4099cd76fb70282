# args: run {file} --grid 1 out=zeros:i32[1]
"""A global must be a tl.constexpr."""

import triton
import triton.language as tl


@triton.jit
def kernel(out):
    tl.store(out, LIMIT)


LIMIT = 5
