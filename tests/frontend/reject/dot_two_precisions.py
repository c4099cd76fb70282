# spec: x=*fp32 o=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, n, B: tl.constexpr):
    r = tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :]
    a = tl.load(x + r)
    tl.store(o + r, tl.dot(a, a, input_precision="ieee", allow_tf32=True))
