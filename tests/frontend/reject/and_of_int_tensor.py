# spec: o=*i32 n=i32 m=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n, m):
    if n and m:
        tl.store(o, 1)
