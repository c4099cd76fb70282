"""Multiplies f16 matrices with f32 sums; tiles are taken in groups of rows so that operands are still in the cache.

lockstep run examples/matmul.py::matmul --grid "cdiv(m, TILE_M) * cdiv(n, TILE_N)" a=randn:f16[200,176] b=randn:f16[176,144] out=empty:f16[200,144] m=200 n=144 k=176 a_row=176 a_column=1 b_row=144 b_column=1 out_row=144 out_column=1 TILE_M=64 TILE_N=32 TILE_K=32 GROUP=2 --print out
"""

import triton
import triton.language as tl


@triton.jit
def tile_in_group(program, tiles_m, tiles_n, GROUP: tl.constexpr):
    """Maps a program to its tile: GROUP rows of tiles are walked column by column before the next rows are begun."""
    tiles_in_group = GROUP * tiles_n
    first_m = (program // tiles_in_group) * GROUP
    rows = min(tiles_m - first_m, GROUP)
    inside = program % tiles_in_group
    return first_m + inside % rows, inside // rows


@triton.jit
def matmul(
    a, b, out, m, n, k, a_row, a_column, b_row, b_column, out_row, out_column,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr, GROUP: tl.constexpr,
):
    tile_m, tile_n = tile_in_group(tl.program_id(0), tl.cdiv(m, TILE_M), tl.cdiv(n, TILE_N), GROUP)
    row = tile_m * TILE_M + tl.arange(0, TILE_M)
    column = tile_n * TILE_N + tl.arange(0, TILE_N)
    step = tl.arange(0, TILE_K)
    a_tile = a + row[:, None] * a_row + step[None, :] * a_column
    b_tile = b + step[:, None] * b_row + column[None, :] * b_column
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for first in range(0, k, TILE_K):
        a_inside = (row[:, None] < m) & (step[None, :] < k - first)
        b_inside = (step[:, None] < k - first) & (column[None, :] < n)
        left = tl.load(a_tile, mask=a_inside, other=0.0)
        right = tl.load(b_tile, mask=b_inside, other=0.0)
        total += tl.dot(left, right)
        a_tile += TILE_K * a_column
        b_tile += TILE_K * b_row
    target = out + row[:, None] * out_row + column[None, :] * out_column
    tl.store(target, total.to(out.dtype.element_ty), mask=(row[:, None] < m) & (column[None, :] < n))
