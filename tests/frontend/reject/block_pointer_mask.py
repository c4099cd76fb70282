# spec: x=*fp16 n=i32 B=16
import triton
import triton.language as tl


@triton.jit
def kernel(x, n, B: tl.constexpr):
    p = tl.make_block_ptr(x, (n,), (1,), (0,), (B,), (0,))
    y = tl.load(p, mask=tl.arange(0, B) < n)
