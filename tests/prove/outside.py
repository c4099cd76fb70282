"""Kernels of which z3 alone decides something, and twins that it does not."""

import triton
import triton.language as tl


@triton.jit
def triangle(out, n, BLOCK: tl.constexpr):
    """The last element of each row of a triangle."""
    row = tl.program_id(0)
    tl.store(out + row * (row + 1) // 2, 1.0)


@triton.jit
def arch(out, n, BLOCK: tl.constexpr):
    """Two programs meet: the first and the last row are both at 0."""
    row = tl.program_id(0)
    tl.store(out + row * (n - 1 - row), 1.0)
