# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    if tl.store(o, n):
        tl.store(o, 3)
