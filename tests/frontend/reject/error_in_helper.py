# spec: x=*fp32 o=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def inner(y):
    return y & 1.5


@triton.jit
def outer(y):
    return inner(y + 1)


@triton.jit
def kernel(x, o, n, B: tl.constexpr):
    tl.store(o, outer(n))
