# spec: x=*fp8e5 o=*fp32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, n):
    v = tl.load(x)
    tl.store(o, v + n)
