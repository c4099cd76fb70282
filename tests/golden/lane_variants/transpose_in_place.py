# args: run {file}::transpose --grid 1 --fail-on warning --check lanes x=arange:f16[32,32] N=32
"""LS402: a tile is stored over its own mirror image."""

import triton
import triton.language as tl


@triton.jit
def transpose(x, N: tl.constexpr):
    i = tl.arange(0, N)
    tile = tl.load(x + i[:, None] * N + i[None, :])
    tl.store(x + i[None, :] * N + i[:, None], tile)
