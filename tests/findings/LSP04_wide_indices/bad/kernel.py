# args: run {file}::double --grid 4 --fail-on info --check all,lints x=rand:f32[512] out=zeros:f32[512] B=128
"""512 elements are counted in 64 bits."""

import triton
import triton.language as tl


@triton.jit
def double(x, out, B: tl.constexpr):
    i = (tl.program_id(0) * B + tl.arange(0, B)).to(tl.int64)
    tl.store(out + i, tl.load(x + i) * 2)
