# spec: o=*i32
import triton
import triton.language as tl


@triton.jit
def kernel(o):
    u = [x * 2 for x in range(3)]
    tl.store(o, u[0] + u[1])
