# spec: o=*i32
import triton
import triton.language as tl


@triton.jit
def kernel(o):
    t = (1, 2)
    s = [x + y for x in t for y in t]
    tl.store(o, s[0])
