# spec: x=*fp32 o=*fp32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, n):
    p = tl.make_block_ptr(x, (n,), (1,), (0,), (16,), (0,))
    tl.advance(p, (16,))
    tl.store(o, tl.sum(tl.load(p)))
