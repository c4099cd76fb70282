# args: run {file}::total --grid 32 --fail-on info --check all,lints x=rand:f32[2048] out=zeros:f32[32] B=64
"""Each stores its part."""

import triton
import triton.language as tl


@triton.jit
def total(x, out, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + tl.program_id(0), tl.sum(tl.load(x + i)))
