# args: run {file}::lengths --grid 1 --fail-on info --check all,lints x=rand:f32[3,16] out=zeros:f32[16] B=16
"""Sixteen points a program, each coordinate in a row of its own."""

import triton
import triton.language as tl


@triton.jit
def lengths(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i)
    b = tl.load(x + B + i)
    c = tl.load(x + 2 * B + i)
    tl.store(out + i, tl.sqrt(a * a + b * b + c * c))
