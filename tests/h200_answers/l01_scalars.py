import math

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def full_from_scalar(o, value):
    b = tl.full(value.shape, 5.0, tl.float32)
    tl.store(o, b)


@triton.jit
def to_on_scalar(o, t0, t1):
    tl.store(o, (t0 + t1).to(tl.float32))


@triton.jit
def f16_times_arg(x, o, s):
    v = tl.load(x) * s
    tl.store(o, v.to(tl.float32))


@triton.jit
def f16_times_lit(x, o):
    v = tl.load(x) * 3.3
    tl.store(o, v.to(tl.float32))


@triton.jit
def f16_times_var(x, o):
    s = 3.3
    v = tl.load(x) * s
    tl.store(o, v.to(tl.float32))


@triton.jit
def f16_augassign(x, o):
    s = 1.0
    s += 2.3
    v = tl.load(x) * s
    tl.store(o, v.to(tl.float32))


@triton.jit
def boolarg(o, b):
    if b:
        tl.store(o, 1.0)
    else:
        tl.store(o, 2.0)


@triton.jit
def bigint(o, n):
    tl.store(o, n)


@triton.jit
def loopvar(x, o, n):
    i8 = tl.load(x)
    for i in range(n):
        r = i8 + i
        tl.store(o + i, r.to(tl.int32))


@triton.jit
def loopvar_k(x, o):
    i8 = tl.load(x)
    for i in range(20, 24):
        tl.store(o + i - 20, (i8 + i * 2).to(tl.int32))


@triton.jit
def loopdiv(o):
    for i in range(0, 4):
        tl.store(o + i, (i - 3) // 2)
        tl.store(o + 4 + i, (i - 3) % 2)


@triton.jit
def sloopdiv(o):
    for i in tl.static_range(0, 4):
        tl.store(o + i, (i - 3) // 2)
        tl.store(o + 4 + i, (i - 3) % 2)


@triton.jit
def loopovf(o):
    for i in range(65536, 65540):
        tl.store(o + i - 65536, (i * i).to(tl.int64))


@triton.jit
def rng_arg(o, n):
    acc = 0
    for i in range(0, n):
        acc += i
    for i in range(n):
        acc += 1
    tl.store(o, acc)


@triton.jit
def rng_tensor(o, n):
    acc = 0
    m = n * 2
    for i in range(0, m, n - 3):
        acc += i
    tl.store(o, acc)


@triton.jit
def rng_neg(o, n):
    acc = 0
    for i in range(n, 0, -2):
        acc = acc * 10 + i
    tl.store(o, acc)


@triton.jit
def afterloop(o, n):
    i = 77
    for i in range(0, n):
        tl.store(o + 1, i)
    tl.store(o, i)


@triton.jit
def cexpr_value(o, B: tl.constexpr):
    tl.store(o, B.value)


@triton.jit
def cexpr_ann(o):
    B: tl.constexpr = 7 // 2
    C: tl.constexpr = -7 // 2
    D: tl.constexpr = -7 % 3
    tl.store(o, B)
    tl.store(o + 1, C)
    tl.store(o + 2, D)


@triton.jit
def local_div(o):
    x = -7
    tl.store(o, x // 2)
    tl.store(o + 1, x % 3)
    tl.store(o + 2, -7 // 2)
    tl.store(o + 3, -7 % 3)


@triton.jit
def truediv(o, n):
    tl.store(o, n / 2)
    tl.store(o + 1, (n + 1) / 3)


@triton.jit
def dflt(o, n=3, f=0.5, k: tl.constexpr=4):
    tl.store(o, n + f + k)


@triton.jit
def nonearg(o, p):
    if p is not None:
        tl.store(o, tl.load(p))
    else:
        tl.store(o, -1.0)


@triton.jit
def npscalar(o, v):
    tl.store(o, v)


@triton.jit
def f64arg(o, v):
    tl.store(o, v)


@triton.jit
def litf64(o):
    tl.store(o, 0.1)
    tl.store(o + 1, 1e+300)
    tl.store(o + 2, 1e-40)
    tl.store(o + 3, 3000000000)
    tl.store(o + 4, 1 / 3)
