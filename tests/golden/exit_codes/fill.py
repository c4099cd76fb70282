"""Fills a tensor with sevens."""

import triton
import triton.language as tl


@triton.jit
def fill(out, n, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    tl.store(out + index, 7.0, mask=index < n)
