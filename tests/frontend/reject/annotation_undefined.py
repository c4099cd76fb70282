# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    x: nothing = 3
    tl.store(o, x + n)
