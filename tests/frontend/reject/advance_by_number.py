# spec: o=*i32 x=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(o, x, n, B: tl.constexpr):
    place = tl.make_block_ptr(o, (n,), (1,), (0,), (B,), (0,))
    tl.store(tl.advance(place, n), tl.arange(0, B))
    tl.store(tl.advance(place, B), tl.arange(0, B))
