# spec: o=*i32 D='a'
import triton
import triton.language as tl


@triton.jit
def kernel(o, D: tl.constexpr):
    if D:
        tl.store(o, 1)
