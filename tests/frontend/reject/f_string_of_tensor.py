# spec: x=*fp32 o=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, n, B: tl.constexpr):
    tl.static_assert(B == 32, f"n is {n}")
    assert n > 3, f"n is {n}"
