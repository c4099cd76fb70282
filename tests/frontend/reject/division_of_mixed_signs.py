# spec: x=*u32 o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, n):
    tl.store(o, tl.load(x) // n)
