# args: run {file} --grid 1 x=arange:i32[8] BLOCK=8
"""tl.device_assert is checked without debug: nothing here has to be compiled twice."""

import triton
import triton.language as tl


@triton.jit
def kernel(x, BLOCK: tl.constexpr):
    value = tl.load(x + tl.arange(0, BLOCK))
    tl.device_assert(value < 5, "value must be small")
