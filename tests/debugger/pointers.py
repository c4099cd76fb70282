"""A kernel that moves its pointers on before it uses them; with offsets of 64 bits Triton adds up what is added to one."""

import triton
import triton.language as tl


@triton.jit
def moves_on(x, out, n, N: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x += row * N
    out = out + row * N
    offsets = tl.arange(0, N)
    p = x + row + offsets
    value = tl.load(p, row * N + offsets < n, 0.0)
    n -= 1
    tl.store(out + row + offsets, value * n, offsets < 3)
