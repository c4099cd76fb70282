# spec: o=*i32
import triton
import triton.language as tl


@triton.jit
def kernel(o):
    if 2.5:
        tl.store(o, 1)
