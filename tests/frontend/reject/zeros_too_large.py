# spec: x=*fp32 o=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, n, B: tl.constexpr):
    tl.store(o, tl.sum(tl.zeros((2048, 1024), tl.float32)))
