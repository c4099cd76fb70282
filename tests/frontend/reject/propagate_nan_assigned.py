# spec: o=*i32 x=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(o, x, n, B: tl.constexpr):
    which = tl.PropagateNan.ALL
    tl.store(x, tl.maximum(n * 0.5, 2.0, propagate_nan=which))
