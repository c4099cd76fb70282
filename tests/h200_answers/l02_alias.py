import math

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def addone(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(o + i, tl.load(x + i, i < n) + 1, i < n)


@triton.jit
def strided(x, o, sx0, sx1, M: tl.constexpr, N: tl.constexpr):
    r = tl.arange(0, M)[:, None]
    c = tl.arange(0, N)[None, :]
    tl.store(o + r * N + c, tl.load(x + r * sx0 + c * sx1))


@triton.jit
def shift(x, n):
    p = tl.program_id(0)
    tl.store(x + p + 1, tl.load(x + p) + 1)


@triton.jit
def order(cnt, o):
    p = tl.program_id(0) * tl.num_programs(1) * tl.num_programs(2) + tl.program_id(1) * tl.num_programs(2) + tl.program_id(2)
    t = tl.atomic_add(cnt, 1)
    tl.store(o + t, p)


@triton.jit
def dupstore(o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i // 4, i)


@triton.jit
def loadafterstore(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, i * 10)
    r = tl.load(x + (B - 1 - i))
    tl.store(o + i, r)
