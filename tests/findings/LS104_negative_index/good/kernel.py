# args: run {file}::differences --grid "cdiv(n, BLOCK)" x=arange:f32[500] out=zeros:f32[500] n=500 BLOCK=128
"""The first element takes 0 for the neighbour that it does not have."""

import triton
import triton.language as tl


@triton.jit
def differences(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    here = tl.load(x + index, mask=index < n)
    before = tl.load(x + index - 1, mask=(index > 0) & (index < n), other=0.0)
    tl.store(out + index, here - before, mask=index < n)
