import math

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def binops(a, b, o, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(a + i)
    y = tl.load(b + i)
    tl.store(o + i, x // y)
    tl.store(o + N + i, x % y)


@triton.jit
def ubin(a, b, o, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(a + i).to(tl.uint32, bitcast=True)
    y = tl.load(b + i).to(tl.uint32, bitcast=True)
    tl.store(o + i, (x // y).to(tl.int32, bitcast=True))
    tl.store(o + N + i, (x % y).to(tl.int32, bitcast=True))
    tl.store(o + 2 * N + i, (x > y).to(tl.int32))
    tl.store(o + 3 * N + i, (x >> 1).to(tl.int32, bitcast=True))


@triton.jit
def arith(a, b, o, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(a + i)
    y = tl.load(b + i)
    tl.store(o + i, x + y)
    tl.store(o + N + i, x - y)
    tl.store(o + 2 * N + i, x * y)
    tl.store(o + 3 * N + i, -x)
    tl.store(o + 4 * N + i, tl.abs(x))


@triton.jit
def shifts(a, b, o, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(a + i)
    y = tl.load(b + i)
    tl.store(o + i, x << y)
    tl.store(o + N + i, x >> y)
    tl.store(o + 2 * N + i, (x.to(tl.uint32, bitcast=True) >> y.to(tl.uint32, bitcast=True)).to(tl.int32, bitcast=True))


@triton.jit
def sh8(a, o, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(a + i)
    tl.store(o + i, (x << 4).to(tl.int32))
    tl.store(o + N + i, (x >> 1).to(tl.int32))
    tl.store(o + 2 * N + i, (x + 100).to(tl.int32))
    tl.store(o + 3 * N + i, (x * x).to(tl.int32))


@triton.jit
def ucmp(a, o):
    x = tl.load(a).to(tl.uint32, bitcast=True)
    tl.store(o, (x > -1).to(tl.int32))
    tl.store(o + 1, (x < -1).to(tl.int32))
    tl.store(o + 2, (x == 4294967295).to(tl.int32))
    tl.store(o + 3, (x == -1).to(tl.int32))


@triton.jit
def i8cmp(a, o):
    x = tl.load(a)
    tl.store(o, (x < 300).to(tl.int32))
    tl.store(o + 1, (x == 200).to(tl.int32))


@triton.jit
def mixs(a, b, o):
    x = tl.load(a)
    y = tl.load(b).to(tl.uint32, bitcast=True)
    tl.store(o, (x + y).to(tl.int64))
    tl.store(o + 1, (x < y).to(tl.int64))
    tl.store(o + 2, x.to(tl.int64) + y)


@triton.jit
def uneg(a, o):
    x = tl.load(a).to(tl.uint32, bitcast=True)
    tl.store(o, (x + -1).to(tl.int64))


@triton.jit
def i8big(a, o):
    tl.store(o, tl.load(a) + 300)


@triton.jit
def umulhi(a, b, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.umulhi(tl.load(a + i), tl.load(b + i)))


@triton.jit
def notop(a, o):
    x = tl.load(a)
    tl.store(o, ~x)
    b = x > 3
    tl.store(o + 1, (~b).to(tl.int32))
    tl.store(o + 2, (not b).to(tl.int32))
    tl.store(o + 3, (-b).to(tl.int32))
    tl.store(o + 4, b + b)
    tl.store(o + 5, (b * 3).to(tl.int32))


@triton.jit
def boolsum(a, o, N: tl.constexpr):
    b = tl.load(a + tl.arange(0, N)) > 0
    tl.store(o, tl.sum(b))
    tl.store(o + 1, tl.max(b.to(tl.int32)))
    tl.store(o + 2, tl.sum(b.to(tl.int8)))


@triton.jit
def castneg(a, o):
    x = tl.load(a)
    tl.store(o, x.to(tl.int8).to(tl.int64))
    tl.store(o + 1, x.to(tl.uint8).to(tl.int64))
    tl.store(o + 2, x.to(tl.int1).to(tl.int64))
    tl.store(o + 3, x.to(tl.uint64).to(tl.int64))
