# spec: o=*i32 x=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(o, x, n, B: tl.constexpr):
    lanes = tl.arange(0, B)
    a = tl.load(x + lanes[:, None] * B + lanes[None, :])
    a = tl.dot(a, a, input_precision=None)
    a = tl.dot(a, a, input_precision="")
    tl.store(x + lanes[:, None] * B + lanes[None, :], a)
