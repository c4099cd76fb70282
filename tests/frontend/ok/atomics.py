"""Atomics of every kind, order and scope, on blocks and scalars."""
# spec: i=*i32 u=*u32 q=*i64 w=*u64 f=*fp32 d=*fp64 h=*fp16 b=*bf16 n=i32 BLOCK=64
import triton
import triton.language as tl


@triton.jit
def kernel(i, u, q, w, f, d, h, b, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    some = lanes < n
    a = tl.atomic_add(i + lanes, 1, mask=some)
    a += tl.atomic_max(i + lanes, a, sem="relaxed") + tl.atomic_min(i + lanes, a, sem="acquire", scope="cta")
    a += tl.atomic_and(i + lanes, a, scope="sys") + tl.atomic_or(i + lanes, a) + tl.atomic_xor(i + lanes, a, sem="acq_rel")
    a += tl.atomic_xchg(i + lanes, a, sem="release", scope="gpu")
    a += tl.atomic_cas(i + lanes, a, a + 1, sem="acquire")
    a += tl.atomic_cas(i, 0, 1)
    c = tl.atomic_max(u + lanes, lanes.to(tl.uint32)) + tl.atomic_min(u, n.to(tl.uint32))
    e = tl.atomic_add(q + lanes, lanes) + tl.atomic_max(q + lanes, n) + tl.atomic_min(w + lanes, c).to(tl.int64)
    g = tl.atomic_add(f + lanes, 1.0) + tl.atomic_max(f + lanes, a, mask=some) + tl.atomic_min(f, 1.5) + tl.atomic_xchg(f, 2.0)
    k = tl.atomic_max(d + lanes, g) + tl.atomic_min(d + lanes, g, some) + tl.atomic_add(d, n)
    m = tl.atomic_add(h + lanes, g, mask=some) + tl.atomic_add(b, 1.5)
    (i + lanes).atomic_add(e, mask=some, sem="relaxed")
    tl.store(d + lanes, k + m)
