# spec: x=*fp32 o=*fp32
import triton
import triton.language as tl


@triton.jit
def kernel(x, o, *rest):
    a = tl.load(x)
    tl.store(o, a + rest[0])
