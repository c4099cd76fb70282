# spec: o=*i32 B=8
import triton
import triton.language as tl


@triton.jit
def kernel(o, B: tl.constexpr):
    for i in range(tl.arange(0, B)):
        tl.store(o, i)
