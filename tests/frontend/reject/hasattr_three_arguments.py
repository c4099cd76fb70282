# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    if hasattr(tl, "load", 3):
        tl.store(o, n)
