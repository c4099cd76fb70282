# spec: o=*i8
import triton
import triton.language as tl


@triton.jit
def kernel(o):
    tl.store(o, tl.load(o) + 300)
