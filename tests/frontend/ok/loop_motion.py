"""Loops out of which nothing may be moved."""
# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    count = 0
    while tl.condition(count < n, disable_licm=True):
        count += 1
    for j in tl.range(0, n, disable_licm=True, flatten=True):
        count += j
    tl.store(o, count)
