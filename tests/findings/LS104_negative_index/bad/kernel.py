# args: run {file}::differences --grid "cdiv(n, BLOCK)" x=arange:f32[500] out=zeros:f32[500] n=500 BLOCK=128
"""Element 0 has no neighbour on its left: the first program reads x[-1]."""

import triton
import triton.language as tl


@triton.jit
def differences(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    here = tl.load(x + index, mask=index < n)
    before = tl.load(x + index - 1, mask=index < n)
    tl.store(out + index, here - before, mask=index < n)
