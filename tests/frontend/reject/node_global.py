# spec: o=*i32
import triton
import triton.language as tl


@triton.jit
def kernel(o):
    global X
    tl.store(o, 1)
