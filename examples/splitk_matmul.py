"""Multiplies f16 matrices with the inner dimension split over programs, which add their shares with float atomics.

The sum of the shares depends on their order on a GPU; Lockstep applies them in the order of the programs, whatever the number
of threads, so its bytes are always the same.

lockstep run examples/splitk_matmul.py::splitk_matmul --grid "cdiv(m, TILE_M) * cdiv(n, TILE_N), SPLIT" a=randn:f16[80,500] b=randn:f16[500,72] out=zeros:f32[80,72] m=80 n=72 k=500 TILE_M=32 TILE_N=32 TILE_K=32 SPLIT=4 --print out
"""

import triton
import triton.language as tl


@triton.jit
def splitk_matmul(
    a, b, out, m, n, k,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr, SPLIT: tl.constexpr,
):
    tiles_n = tl.cdiv(n, TILE_N)
    share = tl.program_id(1)
    row = (tl.program_id(0) // tiles_n) * TILE_M + tl.arange(0, TILE_M)
    column = (tl.program_id(0) % tiles_n) * TILE_N + tl.arange(0, TILE_N)
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for first in range(share * TILE_K, k, SPLIT * TILE_K):
        step = first + tl.arange(0, TILE_K)
        left = tl.load(a + row[:, None] * k + step[None, :], mask=(row[:, None] < m) & (step[None, :] < k), other=0.0)
        right = tl.load(b + step[:, None] * n + column[None, :], mask=(step[:, None] < k) & (column[None, :] < n), other=0.0)
        total = tl.dot(left, right, total)
    inside = (row[:, None] < m) & (column[None, :] < n)
    tl.atomic_add(out + row[:, None] * n + column[None, :], total, mask=inside, sem="relaxed")
