# spec: o=*i64 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    x = 18446744073709551616
    tl.store(o, x)
