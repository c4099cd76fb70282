# spec: n=i32 o=*i32
import triton
import triton.language as tl


@triton.jit
def kernel(n, o):
    p = tl.make_block_ptr(n, (n,), (1,), (0,), (16,), (0,))
    tl.store(o, tl.sum(tl.load(p)))
