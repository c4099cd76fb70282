"""Kernels for the tests of the command."""

import triton
import triton.language as tl


@triton.jit
def fill(out, n, value, BLOCK: tl.constexpr = 16):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + index, value, mask=index < n)


@triton.jit
def endless(out):
    count = tl.load(out)
    while count >= 0:
        count = count * 0
    tl.store(out, count)


@triton.jit
def slow(out, steps):
    total = tl.arange(0, 1024).to(tl.float32) / 1024.0
    for i in range(0, steps):
        total = tl.exp(total) - 1.0
    tl.store(out + tl.program_id(0), tl.sum(total, 0))
