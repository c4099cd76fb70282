# spec: x=*fp32 n=i32 B=16
import triton
import triton.language as tl


def plain(v):
    return v


@triton.jit
def kernel(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, tl.map_elementwise(plain, tl.load(x + i)))
