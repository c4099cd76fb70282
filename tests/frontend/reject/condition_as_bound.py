# spec: o=*i32 x=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(o, x, n, B: tl.constexpr):
    for i in tl.range(0, tl.condition(n < 3, disable_licm=True)):
        tl.store(o + i, n)
