"""Masks, other values, cache hints."""
# spec: x=*fp32 o=*fp32 n=i32 c=*kfp16 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, n, c, B: tl.constexpr):
    i = tl.arange(0, B)
    a = tl.load(x + i, mask=True); b = tl.load(x, mask=n > 3, other=1); d = tl.load(x + i[:, None], mask=(i < n)[None, :], other=0)
    e = tl.load(c + i, i < 4, 2.0, cache_modifier=".ca", eviction_policy="evict_last", volatile=True)
    tl.store(o + i, a + b + e, mask=n > 2); tl.store(o + i, 3, i < n); tl.store(o, b, n > 3, cache_modifier=".cs")
    tl.store(o + i[:, None] + i[None, :], d)
