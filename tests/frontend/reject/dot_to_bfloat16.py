# spec: x=*fp32 o=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, n, B: tl.constexpr):
    r = tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :]
    a = tl.load(x + r)
    h = a.to(tl.float16)
    tl.store(o + r, tl.dot(h, h, out_dtype=tl.bfloat16))
