# spec: x=*fp32 o=*fp32 n=i32 B=32
import os

import triton
import triton.language as tl

DEVICES = len(os.environ)


@triton.jit
def kernel(x, o, n, B: tl.constexpr):
    tl.store(o, DEVICES)
