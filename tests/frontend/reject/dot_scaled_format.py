# spec: x=*u8 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(x, n, B: tl.constexpr):
    i = tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :]
    y = tl.load(x + i)
    d = tl.dot_scaled(y, None, "e3m4", y, None, "e5m2")
