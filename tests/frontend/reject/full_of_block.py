# spec: o=*i32 B=16
import triton
import triton.language as tl


@triton.jit
def kernel(o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.full((B,), i, tl.int32))
