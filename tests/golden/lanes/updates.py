# args: run {file}::count_if --grid 1 --check lanes h=zeros:i32[8] "x=randint(0,8):i32[64]" BLOCK=64
# args: run {file}::count_rows --grid 1 --check lanes h=zeros:f16[4,8] "x=randint(0,4):i32[16]" w=randn:f16[16,8] R=16 D=8
# args: run {file}::scale --grid 1 --check lanes h=full(1.0):f32[8] "x=randint(0,8):i32[64]" BLOCK=64
# args: run {file}::from_the_right --grid 1 --check lanes h=zeros:i32[8] "x=randint(0,8):i32[64]" BLOCK=64
# args: run {file}::through_a_branch --grid 1 --check lanes h=zeros:i32[8] "x=randint(0,8):i32[64]" more=1 BLOCK=64
# args: run {file}::one_number --grid 1 --check lanes h=zeros:i32[1] BLOCK=64
# args: run {file}::some_lanes --grid 1 --check lanes h=zeros:i32[8] "x=randint(0,8):i32[64]" BLOCK=64
# args: run {file}::some_lanes --grid 1 --check lanes --memory-model sequential h=zeros:i32[8] "x=randint(0,8):i32[64]" BLOCK=64
# args: run {file}::to_another --grid 1 --check lanes h=zeros:i32[16] "x=randint(0,8):i32[64]" BLOCK=64
# args: run {file}::clamped --grid 1 --check lanes h=zeros:i32[50] n=50 BLOCK=64
"""Lanes that update shared elements: chosen by a condition, as rows, by a product, from the right of a difference; what a
branch made is not followed; one number that was loaded once; lanes that are masked off; elements other than those loaded;
lanes that were brought back to the last element."""

import triton
import triton.language as tl


@triton.jit
def count_if(h, x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    bin = tl.load(x + i)
    old = tl.load(h + bin)
    tl.store(h + bin, tl.where(i % 2 == 0, old + 1, old))


@triton.jit
def count_rows(h, x, w, R: tl.constexpr, D: tl.constexpr):
    row = tl.load(x + tl.arange(0, R))
    d = tl.arange(0, D)
    place = h + row[:, None] * D + d[None, :]
    delta = tl.load(w + tl.arange(0, R)[:, None] * D + d[None, :])
    tl.store(place, (tl.load(place).to(tl.float32) + delta.to(tl.float32)).to(tl.float16))


@triton.jit
def scale(h, x, BLOCK: tl.constexpr):
    bin = tl.load(x + tl.arange(0, BLOCK))
    tl.store(h + bin, tl.load(h + bin) * 0.5)


@triton.jit
def from_the_right(h, x, BLOCK: tl.constexpr):
    bin = tl.load(x + tl.arange(0, BLOCK))
    tl.store(h + bin, 100 - tl.load(h + bin))


@triton.jit
def through_a_branch(h, x, more, BLOCK: tl.constexpr):
    bin = tl.load(x + tl.arange(0, BLOCK))
    old = tl.load(h + bin)
    if tl.load(x) + more > 0:
        old += more
    tl.store(h + bin, old)


@triton.jit
def one_number(h, BLOCK: tl.constexpr):
    old = tl.load(h)
    tl.store(h + tl.arange(0, BLOCK) * 0, old + 1)


@triton.jit
def some_lanes(h, x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    bin = tl.load(x + i)
    mask = i < 3
    tl.store(h + bin, tl.load(h + bin, mask=mask) + i, mask=mask)


@triton.jit
def to_another(h, x, BLOCK: tl.constexpr):
    bin = tl.load(x + tl.arange(0, BLOCK))
    tl.store(h + 8 + bin, tl.load(h + bin) + 1)


@triton.jit
def clamped(h, n, BLOCK: tl.constexpr):
    i = tl.minimum(tl.arange(0, BLOCK), n - 1)
    tl.store(h + i, tl.load(h + i) + 1)
