# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    i = 0
    while tl.condition(i < n, True, disable_licm=True):
        i += 1
    tl.store(o, i)
