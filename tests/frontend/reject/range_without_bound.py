"""Python's range with keywords only."""
# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    for i in range(stop=n):
        tl.store(o + i, n)
