# spec: x=*fp16 n=i64 B=16
import triton
import triton.language as tl


@triton.jit
def kernel(x, n, B: tl.constexpr):
    p = tl.make_block_ptr(x, (n, n), (n, 1), (n, 0), (B, B), (1, 0))
