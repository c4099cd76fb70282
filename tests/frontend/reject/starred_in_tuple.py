# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    t = (n, 1)
    u = (*t, 2)
    tl.store(o, u[0])
