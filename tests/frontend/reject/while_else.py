# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    i = 0
    while i < n:
        i += 1
    else:
        tl.store(o, 3)
    tl.store(o, i)
