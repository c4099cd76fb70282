"""Kernels of the campaigns' tests: each does one thing that a campaign must cope with."""

import triton
import triton.language as tl


@triton.jit
def scale(x, out, n, FACTOR: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * FACTOR, mask=at < n)


@triton.jit
def scale_without_mask(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at) * 2)


@triton.jit
def last_writer(out, n):
    """What is left depends on the order of programs."""
    tl.store(out, tl.program_id(0))


@triton.jit
def long_loop(out, n):
    total = 0
    for i in range(n):
        total += i * i % 7
    tl.store(out, total)


@triton.jit
def copy_tile(x, out, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK
    out.store([at, 0], x.load([at, 0]) + 1)


@triton.jit
def does_not_compile(out):
    tl.store(out, tl.arange(0, 3))
