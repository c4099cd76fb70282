# spec: o=*i32 n=i32 D='a'
import triton
import triton.language as tl


@triton.jit
def kernel(o, n, D: tl.constexpr):
    tl.store(o, n + D)
