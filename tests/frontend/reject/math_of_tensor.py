# spec: o=*fp32 x=fp32
import math

import triton
import triton.language as tl


@triton.jit
def kernel(o, x):
    tl.store(o, math.sqrt(x))
