# spec: o=*i32 B=8
import triton
import triton.language as tl


@triton.jit
def kernel(o, B: tl.constexpr):
    v = tl.arange(0, B)[:, None] + tl.arange(0, B)[None, :]
    tl.store(o + tl.arange(0, 8), tl.histogram(v, 8))
