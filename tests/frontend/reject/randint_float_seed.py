# spec: o=*i32 x=fp32
import triton
import triton.language as tl


@triton.jit
def kernel(o, x):
    tl.store(o, tl.randint(x, 3))
