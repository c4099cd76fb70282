# spec: x=*fp32 o=*fp32 B=8
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, B: tl.constexpr):
    v = tl.load(x + tl.arange(0, B))
    tl.store(o, tl.xor_sum(v, 0))
