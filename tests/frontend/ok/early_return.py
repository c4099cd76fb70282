"""Early return from a kernel."""
# spec: x=*fp32 n=i32 B=64
import triton
import triton.language as tl


@triton.jit
def kernel(x, n, B: tl.constexpr):
    p = tl.program_id(0)
    if p > n:
        return
    i = tl.arange(0, B)
    if p == 3:
        if n == 2:
            tl.store(x + i, 0.0)
            return
        else:
            y = 1.0
    else:
        y = 2.0
    tl.store(x + i, p)
