# args: run {file} --grid 1 out=zeros:f32[1]
"""A misspelled function and a misspelled name."""

import triton
import triton.language as tl


@triton.jit
def kernel(out):
    value = tl.loads(out)
    tl.store(out, vale)
