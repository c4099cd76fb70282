# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    match n:
        case 1:
            tl.store(o, 1)
