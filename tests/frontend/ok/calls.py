"""Helpers: early return, tuples, functions as arguments, constants, defaults."""
# spec: p=*fp32 n=i32 B=32
import triton
import triton.language as tl

X = tl.constexpr(7)
NEG = tl.constexpr(-3.5)


@triton.jit
def h_early(x, n):
    if n > 3:
        return x + 1
    elif n > 1:
        return x * 2
    return x


@triton.jit
def h_tuple(a, b):
    return a + b, a - b, 3


@triton.jit
def h_nothing(p):
    tl.store(p, 1.0)


@triton.jit
def h_fn(f, x, y):
    return f(x, y)


@triton.jit
def h_cst(x, K: tl.constexpr, S: tl.constexpr = 2, T=None):
    if T is None:
        return x * K + S
    else:
        return x * T


@triton.jit
def kernel(p, n, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(p + i)
    a = h_early(x, n)
    s, d, t = h_tuple(a, n)
    h_nothing(p)
    e = h_fn(h_cst, x, 4)
    g = h_cst(x, K=3, T=2.5)
    w = h_cst(x, X, NEG)
    tl.store(p + i, s + d + t + e + g + w)
