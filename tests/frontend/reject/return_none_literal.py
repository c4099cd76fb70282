# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def f(o, n):
    return None


@triton.jit
def kernel(o, n):
    f(o, n)
    tl.store(o, n)
