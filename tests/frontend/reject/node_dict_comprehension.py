# spec: o=*i32
import triton
import triton.language as tl


@triton.jit
def kernel(o):
    s = {x: x for x in (1, 2)}
    tl.store(o, 1)
