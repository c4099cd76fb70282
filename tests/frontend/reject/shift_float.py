# spec: o=*fp32 x=fp32
import triton
import triton.language as tl


@triton.jit
def kernel(o, x):
    tl.store(o, x << 1)
