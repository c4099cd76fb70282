# args: run {file} --grid 1 --debug x=full(2000000000):i32[8] BLOCK=8
"""--debug asserts that sums and products of integers fit, as triton.jit(debug=True) does."""

import triton
import triton.language as tl


@triton.jit
def kernel(x, BLOCK: tl.constexpr):
    at = x + tl.arange(0, BLOCK)
    tl.store(at, tl.load(at) * 2)
