"""Python's list() gives a list, which cannot be bound to a name."""
# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    pair = list((1, 2))
    tl.store(o, n + pair[0])
