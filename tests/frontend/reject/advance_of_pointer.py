# spec: x=*i32 n=i32 B=16
import triton
import triton.language as tl


@triton.jit
def kernel(x, n, B: tl.constexpr):
    p = tl.advance(x + tl.arange(0, B), (n,))
    tl.store(p, 1)
