# args: run {file}::columns --grid 1 --fail-on warning --check lanes x=rand:f32[32] out=zeros:f32[32] M=8 N=32
"""Silent: all rows store the same values."""

import triton
import triton.language as tl


@triton.jit
def columns(x, out, M: tl.constexpr, N: tl.constexpr):
    rows = tl.arange(0, M)[:, None]
    cols = tl.arange(0, N)[None, :]
    tile = tl.load(x + rows * 0 + cols)
    tl.store(out + rows * 0 + cols, tile)
