# spec: x=*fp32 o=*fp32 B=16
import triton
import triton.language as tl


@triton.jit
def times(a, b):
    return a * b


@triton.jit
def reduced(v, F: tl.constexpr):
    return tl.reduce(v, 0, F)


@triton.jit
def kernel(x, o, B: tl.constexpr):
    v = tl.load(x + tl.arange(0, B))
    tl.store(o, reduced(v, times))
