"""A kernel whose programs overlap by half a block and leave the end of their output alone."""

import triton
import triton.language as tl


@triton.jit
def partly(out, n, BLOCK: tl.constexpr):
    offset = tl.program_id(0) * (BLOCK // 2) + tl.arange(0, BLOCK)
    tl.store(out + offset, offset, mask=offset < n)
