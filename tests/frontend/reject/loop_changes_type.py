# spec: x=*fp32 o=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, n, B: tl.constexpr):
    acc = 0
    for k in range(n):
        acc = acc + 0.5
    tl.store(o, acc)
