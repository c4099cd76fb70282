"""Kernels that say little without checkers: a lost update, and sums in bfloat16 as often as one likes."""

import triton
import triton.language as tl


@triton.jit
def count(h, index):
    b = tl.load(index + tl.program_id(0))
    tl.store(h + b, tl.load(h + b) + 1)


@triton.jit
def halve(x, out, rounds, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i)
    for _ in range(rounds):
        value = value * 0.5 + tl.sum(value.to(tl.bfloat16)) * 0.5 / BLOCK
    tl.store(out + i, value)
