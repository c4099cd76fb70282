# args: run {file} --grid 1 out=zeros:f32[8]
"""Tiles of 4 and 8 elements do not broadcast."""

import triton
import triton.language as tl


@triton.jit
def kernel(out):
    four = tl.arange(0, 4)
    eight = tl.arange(0, 8)
    tl.store(out + eight, (four + eight).to(tl.float32))
