# spec: o=*i32
import triton
import triton.language as tl


@triton.jit
def kernel(o):
    s = {1, 2}
    tl.store(o, 1)
