"""Block pointers: made, moved, loaded with padding, stored with checks, carried through a loop."""
# spec: x=*fp16 o=*fp16 i=*i32 b=*i1 M=i32 N=i32 s=i64 u=u32 BM=16 BN=32
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, i, b, M, N, s, u, BM: tl.constexpr, BN: tl.constexpr):
    left = tl.make_block_ptr(base=x, shape=(M, N), strides=(s, 1), offsets=(0, 0), block_shape=(BM, BN), order=(1, 0))
    right = tl.make_block_ptr(x, (M, u), (N, 1), (M, 4), (BM, BN), (0, 1))
    total = tl.load(left) + tl.load(right, boundary_check=(1, 0), padding_option="nan")
    for step in range(0, N, BN):
        total += tl.load(left, boundary_check=(0,), padding_option="zero")
        left = tl.advance(left, (0, BN))
        right = right.advance([step, -BN])
    total += tl.load(right, boundary_check=(1,), cache_modifier=".cg", eviction_policy="evict_first", volatile=True)
    total += tl.load(left, padding_option="zero")
    out = tl.make_block_ptr(o, (M, N), (N, 1), (0, 0), (BM, BN), (1, 0))
    tl.store(out, total, boundary_check=(0, 1))
    tl.store(out, total, cache_modifier=".wt", eviction_policy="evict_last")
    line = tl.make_block_ptr(i, (M,), (1,), (0,), (BM,), (0,))
    tl.store(line, 7)
    tl.store(line, tl.load(line, boundary_check=(0,)) + 1, boundary_check=(0,))
    flags = tl.make_block_ptr(b, (M,), (1,), (0,), (BM,), (0,))
    tl.store(flags, tl.load(flags))
