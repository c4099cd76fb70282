# spec: o=*i32 x=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(o, x, n, B: tl.constexpr):
    for i in tl.range(0, n, num_stages=1 << 40):
        tl.store(o + i, n)
