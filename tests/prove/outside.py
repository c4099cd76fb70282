"""Kernels of which z3 or isl alone decides something, and twins that they do not."""

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


@triton.jit
def to_posts(row):
    """How far it is to four posts, all together: never less than 4. Each of the four has two cases."""
    a = tl.where(row < 1, 1 - row, row - 1)
    b = tl.where(row < 2, 2 - row, row - 2)
    c = tl.where(row < 3, 3 - row, row - 3)
    d = tl.where(row < 4, 4 - row, row - 4)
    return a + b + c + d


@triton.jit
def signposts(out, n, BLOCK: tl.constexpr):
    tl.store(out + to_posts(tl.program_id(0)) - 4, 1.0)


@triton.jit
def too_far(out, n, BLOCK: tl.constexpr):
    """In row 2 and row 3 it is 4, and not 5."""
    tl.store(out + to_posts(tl.program_id(0)) - 5, 1.0)
