# spec: x=*fp32 o=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, n, B: tl.constexpr):
    for k in range(0, 1.5):
        tl.store(o, k)
