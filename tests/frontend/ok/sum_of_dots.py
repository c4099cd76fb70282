"""Sums of dots on zeros: which one becomes the accumulator of which is Triton's choice."""
# spec: o=*fp32 a=*fp16 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, a, n):
    lanes = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    x = tl.load(a + lanes)
    y = tl.load(a + lanes + n)
    z = tl.load(a + lanes + 2 * n)
    tl.store(o + lanes, tl.dot(x, y) + tl.dot(y, z) + tl.dot(z, x))
    tl.store(o + lanes + n, tl.dot(x, y) + (tl.dot(y, z) + tl.dot(z, x)))
    tl.store(o + lanes + 2 * n, (tl.dot(x, y) + tl.dot(y, z)) + (tl.dot(z, x) + tl.dot(z, y)))
