# spec: o=*i64
import triton
import triton.language as tl


@triton.jit
def kernel(o):
    tl.atomic_cas(o, 0, 1)
