import math

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def dt(a, b, o, N: tl.constexpr, P: tl.constexpr):
    r = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(o + r, tl.dot(tl.load(a + r), tl.load(b + r), input_precision=P))


@triton.jit
def d3(a, b, o, B: tl.constexpr, N: tl.constexpr):
    r = tl.arange(0, B)[:, None, None] * N * N + tl.arange(0, N)[None, :, None] * N + tl.arange(0, N)[None, None, :]
    tl.store(o + r, tl.dot(tl.load(a + r), tl.load(b + r), input_precision='ieee'))


@triton.jit
def dsk(q, s, b, o, K: tl.constexpr):
    rq = tl.arange(0, 16)[:, None] * (K // 2) + tl.arange(0, K // 2)[None, :]
    rb = tl.arange(0, K)[:, None] * 16 + tl.arange(0, 16)[None, :]
    rs = tl.arange(0, 16)[:, None] * (K // 32) + tl.arange(0, K // 32)[None, :]
    tl.store(o + tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :], tl.dot_scaled(tl.load(q + rq), tl.load(s + rs), 'e2m1', tl.load(b + rb), None, 'bf16'))


@triton.jit
def red8(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(o, tl.max(v))
    tl.store(o + 1, tl.min(v))
    tl.store(o + 2, tl.sum(v))
    tl.store(o + 3, tl.argmax(v, 0))
    tl.store(o + 4 + tl.arange(0, N), tl.cumsum(v, 0))
    tl.store(o + 4 + N + tl.arange(0, N), tl.cumsum(v, 0, reverse=True))
    tl.store(o + 4 + 2 * N + tl.arange(0, N), tl.cumprod(v, 0).to(tl.int32))


@triton.jit
def boolst(p, o):
    tl.store(p, 2)
    tl.store(p + 1, 0.5)
    tl.store(o, tl.load(p.to(tl.pointer_type(tl.int8))).to(tl.int32))
    tl.store(o + 1, tl.load(p + 1).to(tl.int32))


@triton.jit
def at64(p, q, o):
    tl.store(o, tl.atomic_add(p, 5))
    tl.store(o + 1, tl.atomic_max(p, 100))
    tl.atomic_add(q, 0.25)


@triton.jit
def atu8(p):
    tl.atomic_add(p, 1)


@triton.jit
def atf16max(p):
    tl.atomic_max(p, 1.0)


@triton.jit
def bpneg(x, o, M, BM: tl.constexpr):
    p = tl.make_block_ptr(x, (M,), (1,), (-2,), (BM,), (0,))
    tl.store(o + tl.arange(0, BM), tl.load(p, boundary_check=(0,), padding_option='zero'))


@triton.jit
def rnd64(o, N: tl.constexpr, seed):
    i = tl.arange(0, N).to(tl.int64) + 2 ** 40
    tl.store(o + i - 2 ** 40, tl.rand(seed, i))


@triton.jit
def fdivk(x, y, o, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(o + i, a / b)
    tl.store(o + N + i, tl.fdiv(a, b))
    tl.store(o + 2 * N + i, tl.div_rn(a, b))
    tl.store(o + 3 * N + i, tl.sqrt_rn(a))
    tl.store(o + 4 * N + i, tl.sqrt(a))


@triton.jit
def un(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    tl.store(o + i, tl.exp(a))
    tl.store(o + N + i, tl.log(tl.abs(a)))
    tl.store(o + 2 * N + i, tl.sin(a))
    tl.store(o + 3 * N + i, tl.cos(a))
    tl.store(o + 4 * N + i, tl.exp2(a))
    tl.store(o + 5 * N + i, tl.log2(tl.abs(a)))
    tl.store(o + 6 * N + i, tl.rsqrt(tl.abs(a)))
    tl.store(o + 7 * N + i, tl.erf(a))
    tl.store(o + 8 * N + i, tl.sigmoid(a))


@triton.jit
def dotacc(a, b, o, N: tl.constexpr, K: tl.constexpr):
    ra = tl.arange(0, N)[:, None] * K + tl.arange(0, K)[None, :]
    rb = tl.arange(0, K)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(o + tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :], tl.dot(tl.load(a + ra), tl.load(b + rb)))


@triton.jit
def cumord(x, o, N: tl.constexpr):
    tl.store(o, tl.sum(tl.load(x + tl.arange(0, N)), 0))
