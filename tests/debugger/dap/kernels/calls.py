"""A kernel with several calls in one line."""

import triton
import triton.language as tl


@triton.jit
def double(value):
    return value * 2.0


@triton.jit
def halve(value):
    half = value / 2.0
    return half


@triton.jit
def calls(x, out, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    value = tl.load(x + column)
    value = double(value) + halve(value) + double(value + 1.0)
    tl.store(out + column, value)
