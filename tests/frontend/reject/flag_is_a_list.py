# spec: x=*i32 n=i32 B=16
import triton
import triton.language as tl


@triton.jit
def kernel(x, n, B: tl.constexpr):
    lanes = tl.arange(0, B)
    tl.store(x + lanes, tl.load(x + lanes, volatile=[n]))
