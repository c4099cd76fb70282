# spec: x=*fp32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(x, B: tl.constexpr):
    i = tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :]
    a = tl.load(x + i)
    tl.store(x + i, tl.dot(a, a, input_precision=None))
