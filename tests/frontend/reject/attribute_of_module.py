# spec: o=*i32 n=i32
import math

import triton
import triton.language as tl


@triton.jit
def kernel(o, n):
    tl.store(o, math.nothing(2.0))
