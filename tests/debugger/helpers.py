"""A kernel that calls functions, which the compiler inlines."""

import triton
import triton.language as tl


@triton.jit
def scaled(value, factor, BIAS: tl.constexpr = 1):
    grown = value * factor
    return grown + BIAS


@triton.jit
def scaled_twice(x, out, value, N: tl.constexpr):
    """`value` is another thing here than in the function that it calls."""
    offsets = tl.program_id(0) * N + tl.arange(0, N)
    loaded = tl.load(x + offsets)
    once = scaled(loaded, 2.0)
    twice = scaled(
        once + value,  # by position
        factor=tl.maximum(once, 3.0),
        BIAS=N,
    )
    tl.store(out + offsets, twice)


@triton.jit
def doubled_and_scaled(value):
    double = value * 2.0
    return scaled(double, 3.0)


@triton.jit
def through_two(x, out, N: tl.constexpr):
    offsets = tl.arange(0, N)
    loaded = tl.load(x + offsets)
    result = doubled_and_scaled(loaded)
    tl.store(out + offsets, result)
