# spec: o=*i32 x=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(o, x, n, B: tl.constexpr):
    tl.store(o, tl.maximum(n, B, propagate_nan=7))
    tl.store(x, tl.maximum(n * 0.5, B, propagate_nan=65535))
