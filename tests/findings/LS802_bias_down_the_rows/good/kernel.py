# args: run {file}::add --grid 4,4 --check all --fail-on warning x=randn:f32[64,64] bias=randn:f32[64] out=zeros:f32[64,64] N=64 BLOCK=16 --expect out=@{folder}/../reference.npy
"""A bias of columns."""

import triton
import triton.language as tl


@triton.jit
def add(x, bias, out, N: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    rows = tl.program_id(0) * BLOCK + lanes
    columns = tl.program_id(1) * BLOCK + lanes
    places = rows[:, None] * N + columns[None, :]
    tl.store(out + places, tl.load(x + places) + tl.load(bias + columns)[None, :])
