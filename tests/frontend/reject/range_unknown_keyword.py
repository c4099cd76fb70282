# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    for i in tl.range(0, n, stages=3):
        tl.store(o, i)
