# args: run {file}::outer --grid 256 --fail-on info --check all,lints x=rand:f32[256] y=rand:f32[256] out=zeros:f32[256,256] N=256
"""Row by row."""

import triton
import triton.language as tl


@triton.jit
def outer(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    row = tl.load(x + tl.program_id(0)) * tl.load(y + i)
    tl.store(out + tl.program_id(0) * N + i, row - tl.max(row, axis=0))
