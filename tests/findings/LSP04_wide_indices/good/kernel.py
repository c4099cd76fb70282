# args: run {file}::double --grid 4 --fail-on info --check all,lints x=rand:f32[512] out=zeros:f32[512] B=128
"""The scalar is extended, the tile is not."""

import triton
import triton.language as tl


@triton.jit
def double(x, out, B: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * B
    i = tl.arange(0, B)
    tl.store(out + first + i, tl.load(x + first + i) * 2)
