"""Numbers as bf16 constants: Triton's builder reads them from six decimals, so small ones lose digits or vanish."""
# spec: b=*bf16 h=*fp16 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(b, h, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(b + i)
    y = tl.load(h + i)
    tl.store(b + i, x + 1e-7)
    tl.store(b + i, x + 6e-7)
    tl.store(b + i, x - 1e-5)
    tl.store(b + i, x * -2.25e-6)
    tl.store(b + i, x * 1.0000005)
    tl.store(b + i, x + 1e30)
    tl.store(b + i, tl.where(x > 0, x, float("-inf")))
    tl.store(b + i, tl.full((B,), 1e-40, tl.bfloat16))
    tl.store(h + i, y + 1e-7)
