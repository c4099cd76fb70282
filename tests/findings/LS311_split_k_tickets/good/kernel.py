# args: run {file}::matmul --check all --schedules 4 --grid 2,3 a=randn:f16[16,96] b=randn:f16[96,32] parts=zeros:f32[6,16,16] tickets=zeros:i32[2] c=zeros:f32[16,32] K=96 TILE=16 SPLIT_K=3
"""The tickets release and acquire."""

import triton
import triton.language as tl


@triton.jit
def matmul(a, b, parts, tickets, c, K, TILE: tl.constexpr, SPLIT_K: tl.constexpr):
    tile = tl.program_id(0)
    piece = tl.program_id(1)
    rows = tl.arange(0, TILE)
    cols = tile * TILE + tl.arange(0, TILE)
    acc = tl.zeros((TILE, TILE), dtype=tl.float32)
    for k in range(piece * TILE, K, SPLIT_K * TILE):
        ks = k + tl.arange(0, TILE)
        acc = tl.dot(tl.load(a + rows[:, None] * K + ks[None, :]), tl.load(b + ks[:, None] * 2 * TILE + cols[None, :]), acc)
    inner = rows[:, None] * TILE + tl.arange(0, TILE)[None, :]
    mine = parts + (tile * SPLIT_K + piece) * TILE * TILE
    tl.store(mine + inner, acc)
    tl.debug_barrier()
    if tl.atomic_add(tickets + tile, 1) == SPLIT_K - 1:
        acc = tl.zeros((TILE, TILE), dtype=tl.float32)
        for i in range(SPLIT_K):
            acc += tl.load(parts + (tile * SPLIT_K + i) * TILE * TILE + inner)
        tl.store(c + rows[:, None] * 2 * TILE + cols[None, :], acc)
