# spec: o=*i32 x=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(o, x, n, B: tl.constexpr):
    which: tl.constexpr = tl.PropagateNan.ALL
    tl.static_print(f"{which}")
    tl.static_print(f"{tl.PropagateNan.ALL}")
    tl.store(o, n)
