"""A tensor under a tl.constexpr annotation stays a tensor; scalars take [:, None]."""
# spec: x=*fp32 n=i32 m=i32 K=32
import triton
import triton.language as tl


@triton.jit
def kernel(x, n, m, K: tl.constexpr):
    count: tl.constexpr = n * K
    lanes = tl.arange(0, K) + count
    wide = count * m + m
    low = tl.minimum(count, n)[:, None] + tl.arange(0, K)[None, :]
    value = tl.load(x + lanes + count, mask=lanes < count)
    inside = m < count
    tl.store(x + low, value + wide + inside, mask=low < count)
