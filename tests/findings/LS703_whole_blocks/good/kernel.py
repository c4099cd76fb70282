# args: run {file}::add_one --grid "cdiv(n, BLOCK)" --check all x=arange:f32[100] out=zeros:f32[100] n=100 BLOCK=64
"""What is assumed holds."""

import triton
import triton.language as tl


@triton.jit
def add_one(x, out, n, BLOCK: tl.constexpr):
    tl.assume(n > 0)
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + index, tl.load(x + index, mask=index < n, other=0.0) + 1.0, mask=index < n)
