# args: run {file}::rotate --check all --grid 4,2 x=randn:f32[4,64] cos=rand:f32[32] sin=rand:f32[32] HALF=32
"""Rotary embedding in place, with a program for each half of a row: each needs the half that the other overwrites."""

import triton
import triton.language as tl


@triton.jit
def rotate(x, cos, sin, HALF: tl.constexpr):
    row = tl.program_id(0)
    side = tl.program_id(1)
    cols = tl.arange(0, HALF)
    first = tl.load(x + row * 2 * HALF + cols)
    second = tl.load(x + row * 2 * HALF + HALF + cols)
    c = tl.load(cos + cols)
    s = tl.load(sin + cols)
    if side == 0:
        tl.store(x + row * 2 * HALF + cols, first * c - second * s)
    else:
        tl.store(x + row * 2 * HALF + HALF + cols, second * c + first * s)
