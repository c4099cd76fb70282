# args: run {file}::sort --grid 1 --fail-on warning --check lanes "x=randint(0,1000):i32[64]" HALF=32 N=64
"""LS405: odd-even transposition in place."""

import triton
import triton.language as tl


@triton.jit
def sort(x, HALF: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, HALF)
    for round in range(N):
        left = 2 * i + round % 2
        both = left + 1 < N
        a = tl.load(x + left, mask=both, other=0)
        b = tl.load(x + left + 1, mask=both, other=0)
        tl.store(x + left, tl.minimum(a, b), mask=both)
        tl.store(x + left + 1, tl.maximum(a, b), mask=both)
