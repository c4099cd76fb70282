# spec: o=*i32 x=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(o, x, n, B: tl.constexpr):
    count: tl.constexpr = n * B
    tl.store(o, count << n)
    tl.store(o, n << count)
