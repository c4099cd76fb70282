# args: run {file} --grid 1 out=zeros:f32[1]
"""An annotation alone does not make a global a constexpr."""

import triton
import triton.language as tl

LIMIT: tl.constexpr = 5.0


@triton.jit
def kernel(out):
    tl.store(out, LIMIT)
