# spec: o=*i32
import triton
import triton.language as tl


@triton.jit
def kernel(o):
    tl.atomic_add(o, 1, mask=True)
