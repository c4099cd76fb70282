# spec: o=*i32 x=*u8
import triton
import triton.language as tl


@triton.jit
def kernel(o, x):
    r = tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :]
    a = tl.load(x + r)
    tl.store(o + r, tl.dot(a, a))
