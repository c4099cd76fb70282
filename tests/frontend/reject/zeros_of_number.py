# spec: o=*i32 x=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(o, x, n, B: tl.constexpr):
    tl.store(o + tl.arange(0, B), tl.zeros(B, tl.int32))
