# args: run {file} --grid 1 out=zeros:f32[16,16]
"""The inner dimensions must agree."""

import triton
import triton.language as tl


@triton.jit
def kernel(out):
    a = tl.zeros((16, 32), tl.float16)
    b = tl.zeros((16, 16), tl.float16)
    tl.store(out, tl.sum(tl.sum(tl.dot(a, b), 0), 0))
