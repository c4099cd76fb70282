# args: run {file}::smooth --check all --grid "cdiv(n, BLOCK)" x=randn:f32[500] out=zeros:f32[500] n=500 BLOCK=128
"""The result has memory of its own."""

import triton
import triton.language as tl


@triton.jit
def smooth(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    before = tl.load(x + index - 1, mask=(index > 0) & (index < n), other=0.0)
    here = tl.load(x + index, mask=index < n, other=0.0)
    after = tl.load(x + index + 1, mask=index + 1 < n, other=0.0)
    tl.store(out + index, (before + here + after) / 3, mask=index < n)
