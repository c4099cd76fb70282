"""Kernels that the tests of lockstep.debug() stop in, by line."""

import triton
import triton.language as tl


@triton.jit
def scale(x, out, factor, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = row * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i, i < n)
    scaled = value * factor
    tl.store(out + i, scaled, i < n)


@triton.jit
def past_the_end(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i), i < n)


@triton.jit
def stops_itself(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = row * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i, i < n)
    if row == 2:
        breakpoint()
    tl.store(out + i, value + 1, i < n)


@triton.jit
def divides(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    value = tl.load(x + i, i < n, 0.0)
    ratio = value / value
    tl.store(out + i, ratio, i < n)


@triton.jit
def prints(x):
    tl.device_print("seen", tl.load(x))
    tl.store(x, 2.0)


@triton.jit
def cancels(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i, i < n, 0.0)
    moved = value + 0.001953125
    tl.store(out + i, moved * moved - value * value, i < n)


@triton.jit
def far_apart(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK) * 64
    tl.store(out + i, tl.load(x + i))


@triton.jit
def draws_places(count, out):
    pid = tl.program_id(0)
    place = tl.atomic_add(count, 1)
    tl.store(out + place, pid)
