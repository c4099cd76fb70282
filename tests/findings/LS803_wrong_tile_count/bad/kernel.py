# args: run {file}::scale_tiles --fail-on warning --check all --grid "cdiv(m, TILE) * cdiv(n, TILE)" x=arange:f32[64,128] out=empty:f32[64,128] m=64 n=128 TILE=32
"""The program's number is divided by the number of tile rows, not of tile columns: tiles (0,0), (1,0) ... come twice."""

import triton
import triton.language as tl


@triton.jit
def scale_tiles(x, out, m, n, TILE: tl.constexpr):
    tiles_m = tl.cdiv(m, TILE)
    tiles_n = tl.cdiv(n, TILE)
    tile_m = tl.program_id(0) // tiles_n
    tile_n = tl.program_id(0) % tiles_m
    row = tile_m * TILE + tl.arange(0, TILE)
    column = tile_n * TILE + tl.arange(0, TILE)
    mask = (row[:, None] < m) & (column[None, :] < n)
    place = row[:, None] * n + column[None, :]
    tl.store(out + place, tl.load(x + place, mask=mask, other=0.0) * 2.0, mask=mask)
