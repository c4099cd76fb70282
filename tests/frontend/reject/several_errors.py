# spec: x=*fp32 o=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, n, B: tl.constexpr):
    tl.store(o, missing)
    v = n & 1.5
    w = v + 1
    tl.store(o + 1.5, w)
    tl.store(o, tl.arange(0, 3))
