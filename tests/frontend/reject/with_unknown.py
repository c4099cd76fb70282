# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    with open("x"):
        tl.store(o, n)
