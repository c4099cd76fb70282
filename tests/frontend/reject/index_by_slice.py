# spec: o=*i32
import triton
import triton.language as tl


@triton.jit
def kernel(o):
    x = tl.arange(0, 4)
    tl.store(o, tl.sum(x[0:2]))
