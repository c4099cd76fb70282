# args: run {file}::transpose --check all --grid "cdiv(m, TILE), cdiv(n, TILE)" x=randn:f32[32,48] out=zeros:f32[48,32] m=32 n=48 TILE=16
"""A row of the result has m elements."""

import triton
import triton.language as tl


@triton.jit
def transpose(x, out, m, n, TILE: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    cols = tl.program_id(1) * TILE + tl.arange(0, TILE)
    mask = (rows[:, None] < m) & (cols[None, :] < n)
    tile = tl.load(x + rows[:, None] * n + cols[None, :], mask=mask, other=0.0)
    tl.store(out + cols[None, :] * m + rows[:, None], tile, mask=mask)
