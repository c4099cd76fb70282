"""break outside a loop, which Python refuses even in a branch that is never taken."""
# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    if False:
        break
    tl.store(o, n)
