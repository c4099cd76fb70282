"""Integer types: promotion, literals, pointer arithmetic."""
# spec: a8=*i8 u8=*u8 a16=*i16 u16=*u16 a64=*i64 u64=*u64 n=i32 k=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(a8, u8, a16, u16, a64, u64, n, k, B: tl.constexpr):
    i = tl.arange(0, B)
    x = tl.load(a8 + i); y = tl.load(u8 + i); z = tl.load(a16 + i); w = tl.load(u16 + i); v = tl.load(a64 + i); u = tl.load(u64 + i)
    tl.store(a8 + i, x + 100); tl.store(a8 + i, tl.full((B,), 300, tl.int8)); tl.store(a8 + i, tl.full((B,), -1, tl.int8)); tl.store(u8 + i, y * 3); tl.store(a16 + i, x + z); tl.store(u16 + i, y + w + 7)
    tl.store(a64 + i, x + v + n); tl.store(u64 + i, u + y); tl.store(a64 + i, u + v)
    tl.store(a64 + i, x / z); tl.store(a64 + i, x * 0.5); tl.store(a64 + i, n / k)
    tl.store(a8 + i, x << 2); tl.store(a8 + i, x >> z); tl.store(u8 + i, y >> 1); tl.store(a64 + i, 1 << i)
    tl.store(a64 + i, v // 4 % 3); tl.store(u64 + i, u % 5); tl.store(a64 + i, x < 300); tl.store(a64 + i, -x)
    tl.store(a64 + i, 2**40); tl.store(u64 + i, 2**63); tl.store(a64 + i, 4294967295); tl.store(a64 + i, i + 2**30)
    tl.store(a64 + (n + i.to(tl.uint32)), 0); tl.store(a64 + i - 3, 1); tl.store(a64 - i, 1); tl.store(a64 + i.to(tl.uint8), 2)
    tl.store(a64 + i, tl.minimum(x, z)); tl.store(a64 + i, tl.maximum(y, 3)); tl.store(a64 + i, min(n, k) + max(n, 3, k))
