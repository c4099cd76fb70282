# args: run {file}::sums --grid 1 --fail-on warning --check lanes x=rand:f32[16,64] out=zeros:f32[16] K=64 BK=16
"""LS108: one advance, twice as far as it should be."""

import triton
import triton.language as tl


@triton.jit
def sums(x, out, K, BK: tl.constexpr):
    tiles = tl.make_block_ptr(x, (16, K), (K, 1), (0, 0), (16, BK), (1, 0))
    total = tl.zeros([16], tl.float32)
    for _ in range(0, K, BK):
        total += tl.sum(tl.load(tiles), axis=1)
        tiles = tl.advance(tiles, (0, 2 * BK))
    tl.store(out + tl.arange(0, 16), total)
