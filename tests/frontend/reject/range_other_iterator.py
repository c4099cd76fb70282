# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    for i in enumerate((1, 2)):
        tl.store(o, i)
