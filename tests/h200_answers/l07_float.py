import math

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def cvt(a, o, N: tl.constexpr, DT: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.load(a + i).to(DT))


@triton.jit
def cvtz(a, o, N: tl.constexpr, DT: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.load(a + i).to(DT, fp_downcast_rounding='rtz'))


@triton.jit
def bf(a, b, o, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(a + i)
    y = tl.load(b + i)
    tl.store(o + i, (x + y).to(tl.float32))
    tl.store(o + N + i, (x * y).to(tl.float32))
    tl.store(o + 2 * N + i, (x / y).to(tl.float32))
    tl.store(o + 3 * N + i, (x - y).to(tl.float32))


@triton.jit
def bfcmp(a, b, o, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(a + i)
    y = tl.load(b + i)
    tl.store(o + i, (x < y).to(tl.int32))
    tl.store(o + N + i, tl.where(x > y, x, y).to(tl.int32))
    tl.store(o + 2 * N + i, tl.maximum(x, y).to(tl.int32))
    tl.store(o + 3 * N + i, (-x).to(tl.int32))
    tl.store(o + 4 * N + i, tl.abs(x).to(tl.int32))
    tl.store(o + 5 * N + i, (x * 2.0).to(tl.int32))
    tl.store(o + 6 * N + i, (x + 1).to(tl.int32))


@triton.jit
def bfsum(a, o, N: tl.constexpr):
    x = tl.load(a + tl.arange(0, N))
    tl.store(o, tl.sum(x).to(tl.float32))
    tl.store(o + 1, tl.max(x).to(tl.float32))
    tl.store(o + 2, tl.sum(x.to(tl.float32)))


@triton.jit
def bfdot(a, b, o, N: tl.constexpr):
    r = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(o + r, tl.dot(tl.load(a + r), tl.load(b + r)))


@triton.jit
def f16acc(a, b, o, N: tl.constexpr):
    r = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(o + r, tl.dot(tl.load(a + r), tl.load(b + r), out_dtype=tl.float16).to(tl.float32))


@triton.jit
def i8dot(a, b, o, N: tl.constexpr):
    r = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(o + r, tl.dot(tl.load(a + r), tl.load(b + r), out_dtype=tl.int32))


@triton.jit
def mm(a, b, o, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(a + i)
    y = tl.load(b + i)
    tl.store(o + i, tl.maximum(x, y))
    tl.store(o + N + i, tl.minimum(x, y))
    tl.store(o + 2 * N + i, tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL))
    tl.store(o + 3 * N + i, tl.clamp(x, -1.0, 1.0))


@triton.jit
def redu(a, o, N: tl.constexpr):
    x = tl.load(a + tl.arange(0, N))
    tl.store(o, tl.max(x))
    tl.store(o + 1, tl.min(x))
    tl.store(o + 2, tl.argmax(x, 0))
    tl.store(o + 3, tl.argmin(x, 0))
    v, i = tl.max(x, 0, return_indices=True)
    tl.store(o + 4, v)
    tl.store(o + 5, i)
    tl.store(o + 6, tl.argmax(x, 0, tie_break_left=False))


@triton.jit
def fm(a, b, o, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(a + i)
    y = tl.load(b + i)
    tl.store(o + i, x % y)
    tl.store(o + N + i, x / y)


@triton.jit
def trans(a, o, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(a + i)
    tl.store(o + i, tl.exp(x))
    tl.store(o + N + i, tl.sin(x))
    tl.store(o + 2 * N + i, tl.log(tl.abs(x)))
    tl.store(o + 3 * N + i, tl.rsqrt(tl.abs(x)))
    tl.store(o + 4 * N + i, tl.exp2(x))
    tl.store(o + 5 * N + i, tl.sqrt(tl.abs(x)))
    tl.store(o + 6 * N + i, tl.fma(x, x, -1.0))
    tl.store(o + 7 * N + i, x * x - 1.0)
    tl.store(o + 8 * N + i, tl.erf(x))


@triton.jit
def sums(a, o, N: tl.constexpr):
    x = tl.load(a + tl.arange(0, N))
    tl.store(o, tl.sum(x))
    c = tl.cumsum(x, 0)
    tl.store(o + 1, tl.sum(tl.where(tl.arange(0, N) == N - 1, c, 0.0)))


@triton.jit
def f16sum(a, o, N: tl.constexpr):
    x = tl.load(a + tl.arange(0, N))
    tl.store(o, tl.sum(x).to(tl.float32))


@triton.jit
def fexp16(a, o):
    tl.store(o, tl.exp(tl.load(a)))


@triton.jit
def denorm(a, o, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(a + i)
    tl.store(o + i, x * 0.5)
    tl.store(o + N + i, tl.sqrt(x))
    tl.store(o + 2 * N + i, x + x)
    tl.store(o + 3 * N + i, 1.0 / x)
    tl.store(o + 4 * N + i, tl.exp(x * 1e+40))
