# args: run {file}::transpose --grid 4,4 --check all --fail-on warning x=randn:f32[64,64] out=zeros:f32[64,64] N=64 BLOCK=16 --expect out=@{folder}/../reference.npy
"""A transposition by tiles: tiles change places, but lie in them as they did."""

import triton
import triton.language as tl


@triton.jit
def transpose(x, out, N: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    rows = tl.program_id(0) * BLOCK + lanes
    columns = tl.program_id(1) * BLOCK + lanes
    tile = tl.load(x + rows[:, None] * N + columns[None, :])
    tl.store(out + columns[:, None] * N + rows[None, :], tile)
