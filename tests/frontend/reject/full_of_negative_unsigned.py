# spec: o=*i32 x=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(o, x, n, B: tl.constexpr):
    lanes = tl.arange(0, B)
    tl.store(o + lanes, tl.full((B,), 1 << 63, tl.uint8).to(tl.int32))
    tl.store(o + lanes, tl.full((B,), -1, tl.uint32).to(tl.int32))
