# args: run {file}::tile_of --grid 1 --check all --fail-on warning positions=arange:i32[20] tiles=zeros:i32[20] shift=6 n=20 BLOCK=32
"""Nothing is negative when it is divided."""

import triton
import triton.language as tl


@triton.jit
def tile_of(positions, tiles, shift, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    position = tl.load(positions + index, mask=inside, other=0)
    tl.store(tiles + index, (position - shift + 4 * shift) // 4 - shift, mask=inside)
