# spec: o=*i32 B=8
import triton
import triton.language as tl


@triton.jit
def kernel(o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, 1 if i > 3 else 2)
