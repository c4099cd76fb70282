"""Functions of the library that no other case calls."""
# spec: x=*fp32 i=*i32 o=*fp32 n=i32 q=*u64 BLOCK=64 SEED=7
import triton
import triton.language as tl


@triton.jit
def is_tensor(value):
    return isinstance(value, tl.tensor)


@triton.jit
def kernel(x, i, o, n, q, BLOCK: tl.constexpr, SEED: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    a = tl.load(x + lanes)
    b = tl.load(i + lanes)
    a, _ = tl.broadcast(a, n)
    wide, narrow = tl.broadcast(a[:, None], a[None, :])
    c = tl.mul(a, 2.0) + tl.sub(a, b) + tl.add(b, n, sanitize_overflow=False)
    lanes = tl.max_constancy(tl.max_contiguous(lanes, BLOCK), 4)
    c += tl.view(tl.view(a, (8, 8)), (BLOCK,)) + tl.ravel(wide.T).sum() + narrow.cast(tl.float32).sum(1)
    r0, r1, r2, r3 = tl.rand4x(SEED, lanes)
    s0, s1, s2, s3 = tl.randn4x(n, lanes, n_rounds=7)
    k0, k1, k2, k3 = tl.randint4x(n, lanes)
    p0, p1, p2, p3 = tl.philox(SEED, lanes.to(tl.uint32), b.to(tl.uint32), 0, 1)
    u0, u1 = tl.pair_uniform_to_normal(tl.uint_to_uniform_float(p0), tl.uint_to_uniform_float(b))
    c += r0 + r1 + r2 + r3 + s0 + s1 + s2 + s3 + (k0 ^ k1 ^ k2 ^ k3) + u0 + u1 + (p1 ^ p2 ^ p3)
    c += tl.rand(SEED, lanes.to(tl.int64)) + tl.randn(n, lanes)
    c += tl.sort(a, descending=True) + tl.sort(b, 0).to(tl.float32) + tl.flip(a, 0) + tl.topk(b, 8).sum()
    c += tl.sum(tl.reshape(a, (8, 8)), keep_dims=True).item() + tl.xor_sum(b, 0) + b.reduce_or(0) + tl.sum(b, dtype=tl.int64)
    low, where_low = tl.min(tl.reshape(b, (8, 8)), 1, return_indices=True, return_indices_tie_break_left=False)
    high, where_high = tl.max(tl.reshape(a, (8, 8)), 0, return_indices=True, keep_dims=True)
    c += tl.sum(low + where_low + where_high) + tl.sum(high) + tl.argmin(a, 0, tie_break_left=False) + a.argmax(0)
    c += tl.cumsum(b, 0, dtype=tl.int64) + tl.cumprod(a, 0) + tl.cumsum(a.to(tl.bfloat16), 0, reverse=True)
    odd = (b > 3).logical_and(a > 0).logical_or(lanes < n)
    c += tl.softmax(tl.reshape(a, (8, 8)), 1, keep_dims=True, ieee_rounding=True).sum() + tl.interleave(low, low).sum()
    tl.static_assert(isinstance(SEED, tl.constexpr) or SEED == 7)
    wide_bits = tl.load(q + lanes)
    wide_bits = tl.umulhi(wide_bits, wide_bits) // 3 % 5 >> 2
    tl.store(q + lanes, wide_bits + b.abs().to(tl.uint64))
    tl.store(o + lanes, tl.where(odd, c, tl.clamp(c, -1, 1)), mask=lanes < n)
