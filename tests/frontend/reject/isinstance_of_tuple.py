# spec: o=*i32 x=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(o, x, n, B: tl.constexpr):
    if isinstance(n, tl.tensor):
        tl.store(o, n)
    if isinstance(n, (tl.tensor, int)):
        tl.store(o, n)
