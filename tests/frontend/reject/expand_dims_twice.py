# spec: o=*i32 B=8
import triton
import triton.language as tl


@triton.jit
def kernel(o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o, tl.sum(tl.expand_dims(i, (0, 0))))
