# args: run {file} --grid 1 out=zeros:f32[1]
"""A static assertion that fails."""

import triton
import triton.language as tl


@triton.jit
def kernel(out):
    SIZE: tl.constexpr = 12
    tl.static_assert(SIZE % 8 == 0, "SIZE must be a multiple of 8")
    tl.store(out, 1.0)
