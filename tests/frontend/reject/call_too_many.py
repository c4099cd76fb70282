# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def f(a):
    return a


@triton.jit
def kernel(o, n):
    tl.store(o, f(n, n))
