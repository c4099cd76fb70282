# spec: o=*i32
import triton
import triton.language as tl


@triton.jit
def kernel(o):
    import math as m
    tl.store(o, 1)
