"""Multiples of a step."""

import triton
import triton.language as tl


@triton.jit
def ramp(out, step, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    tl.store(out + index, index * step)
