# args: run {file}::row_sums --grid "cdiv(M, BM)" --check all x=randn:f32[64,128] out=zeros:f32[64] M=64 K=128 BM=32 BK=32
"""One advance for each tile."""

import triton
import triton.language as tl


@triton.jit
def row_sums(x, out, M, K, BM: tl.constexpr, BK: tl.constexpr):
    first = tl.program_id(0) * BM
    tiles = tl.make_block_ptr(x, (M, K), (K, 1), (first, 0), (BM, BK), (1, 0))
    total = tl.zeros([BM], tl.float32)
    for _ in range(0, K, BK):
        tile = tl.load(tiles)
        tiles = tl.advance(tiles, (0, BK))
        total += tl.sum(tile, axis=1)
    tl.store(out + first + tl.arange(0, BM), total)
