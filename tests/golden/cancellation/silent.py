# args: run {file}::kahan --grid 1 --check cancellation --fail-on warning x=rand:f32[4096] out=zeros:f32[64] n=4096 BLOCK=64
# args: run {file}::split --grid 4 --check cancellation --fail-on warning x=randn:f32[256] high=zeros:bf16[256] low=zeros:f32[256] BLOCK=64
# args: run {file}::rotate --grid 4 --check cancellation --fail-on warning x=randn:f32[4,128] angle=rand:f32[64] out=zeros:f32[4,128] HALF=64
# args: run {file}::soften_backward --grid 8 --check cancellation --fail-on warning p=rand:f32[8,64] dp=randn:f32[8,64] out=zeros:f32[8,64] N=64
# args: run {file}::fraction --grid 4 --check cancellation --fail-on warning x=rand:f32[256] out=zeros:f32[256] BLOCK=64
# args: run {file}::normalise --grid 8 --check cancellation --fail-on warning x=randn:f32[8,256] out=zeros:f32[8,256] N=256
"""Differences of nearly equal numbers in which nothing is lost that is stored: compensated sums, the rest of a number
that is rounded on purpose, elements that are near 0 by chance among others that are not."""

import triton
import triton.language as tl


@triton.jit
def kahan(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], tl.float32)
    rest = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        value = tl.load(x + start + lanes) - rest
        now = total + value
        rest = (now - total) - value
        total = now
    tl.store(out + lanes, total)


@triton.jit
def split(x, high, low, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + index) * 1.1
    top = value.to(tl.bfloat16)
    tl.store(high + index, top)
    tl.store(low + index, value - top.to(tl.float32))


@triton.jit
def rotate(x, angle, out, HALF: tl.constexpr):
    lanes = tl.arange(0, HALF)
    row = tl.program_id(0) * 2 * HALF
    first, second = tl.load(x + row + lanes), tl.load(x + row + HALF + lanes)
    turn = tl.load(angle + lanes)
    tl.store(out + row + lanes, first * tl.cos(turn) - second * tl.sin(turn))
    tl.store(out + row + HALF + lanes, second * tl.cos(turn) + first * tl.sin(turn))


@triton.jit
def soften_backward(p, dp, out, N: tl.constexpr):
    places = tl.program_id(0) * N + tl.arange(0, N)
    weight = tl.load(p + places)
    weight = weight / tl.sum(weight, axis=0)
    upper = tl.load(dp + places)
    tl.store(out + places, weight * (upper - tl.sum(weight * upper, axis=0)))


@triton.jit
def fraction(x, out, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + index) * 100.0
    tl.store(out + index, value - tl.floor(value))


@triton.jit
def normalise(x, out, N: tl.constexpr):
    places = tl.program_id(0) * N + tl.arange(0, N)
    value = tl.load(x + places)
    apart = value - tl.sum(value, axis=0) / N
    tl.store(out + places, apart * tl.rsqrt(tl.sum(apart * apart, axis=0) / N + 1e-5))
