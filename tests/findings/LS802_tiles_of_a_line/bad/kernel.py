# args: run {file}::add --grid 16 --check all --fail-on warning x=randn:f32[64,64] bias=randn:f32[64] out=zeros:f32[64,64] N=64 BLOCK=16 --expect out=@{folder}/../reference.npy
"""One number for each tile. What is loaded comes from the tile's mirror image."""

import triton
import triton.language as tl


@triton.jit
def add(x, bias, out, N: tl.constexpr, BLOCK: tl.constexpr):
    tile = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    rows = tile // (N // BLOCK) * BLOCK + lanes
    columns = tile % (N // BLOCK) * BLOCK + lanes
    down = tile % (N // BLOCK) * BLOCK + lanes
    across = tile // (N // BLOCK) * BLOCK + lanes
    value = tl.load(x + down[:, None] * N + across[None, :])
    tl.store(out + rows[:, None] * N + columns[None, :], value + tl.load(bias + columns)[None, :])
