# spec: o=*i32 x=*fp32 n=i32 B=32
import triton
import triton.language as tl


@triton.jit
def kernel(o, x, n, B: tl.constexpr):
    tl.store(tl.make_block_ptr(o, n, (1,), n, (B,), (0,)), tl.arange(0, B))
    tl.store(tl.make_block_ptr(o, (n,), (1,), 0, (B,), (0,)), tl.arange(0, B))
