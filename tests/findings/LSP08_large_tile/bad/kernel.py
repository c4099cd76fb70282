# args: run {file}::outer --grid 1 --fail-on info --check all,lints x=rand:f32[256] y=rand:f32[256] out=zeros:f32[256,256] N=256
"""A tile of 256 by 256 numbers in four warps, and what is subtracted from it."""

import triton
import triton.language as tl


@triton.jit
def outer(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tile = tl.load(x + i)[:, None] * tl.load(y + i)[None, :]
    tile = tile - tl.max(tile, axis=1)[:, None]
    tl.store(out + i[:, None] * N + i[None, :], tile)
