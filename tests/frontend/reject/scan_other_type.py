# spec: o=*i32 B=16
import triton
import triton.language as tl


@triton.jit
def f(a, b):
    return (a + b).to(tl.float32)


@triton.jit
def kernel(o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.associative_scan(i, 0, f))
