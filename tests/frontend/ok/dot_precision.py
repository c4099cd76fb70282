"""Precisions of tl.dot: a None that the kernel writes counts as given, one that it leaves out does not."""
# spec: x=*fp32 K=32
import triton
import triton.language as tl


@triton.jit
def product(a, b, allowed: tl.constexpr = None):
    return tl.dot(a, b, allow_tf32=allowed)


@triton.jit
def kernel(x, K: tl.constexpr):
    square = tl.arange(0, K)[:, None] * K + tl.arange(0, K)[None, :]
    a = tl.load(x + square)
    none = None
    d = tl.dot(a, a, allow_tf32=None)
    d = tl.dot(a, a, d, allow_tf32=none)
    d = tl.dot(a, a, d, none, True)
    d = tl.dot(a, a, d, none, False)
    d = tl.dot(a, a, d, None)
    d = tl.dot(a, a, d)
    d += product(a, a) + product(a, a, True) + product(a, a, False) + product(a, a, None) + product(a, a, none)
    tl.store(x + square, d)
