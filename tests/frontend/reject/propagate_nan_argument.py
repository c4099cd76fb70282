# spec: o=*i32 x=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def larger(a, b, which: tl.constexpr):
    return tl.maximum(a, b, propagate_nan=which)


@triton.jit
def kernel(o, x, n, B: tl.constexpr):
    tl.store(x, larger(n * 0.5, 2.0, tl.PropagateNan.ALL))
