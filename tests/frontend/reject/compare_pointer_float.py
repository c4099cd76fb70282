# spec: o=*fp32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    if o > 1.5:
        tl.store(o, n)
