# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    for i in range(n):
        tl.store(o, i)
    else:
        tl.store(o, 3)
