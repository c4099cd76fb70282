# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def f(o, n):
    tl.store(o, n)


@triton.jit
def kernel(o, n):
    tl.store(o, f(o, n) + 1)
