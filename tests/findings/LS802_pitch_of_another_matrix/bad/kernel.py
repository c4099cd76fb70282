# args: run {file}::add_bias --grid 4,3 --check all --fail-on warning x=randn:f32[32,64] bias=randn:f32[48] out=zeros:f32[32,48] pitch_x=64 pitch_out=48 BLOCK_M=8 BLOCK_N=16 --expect out=@{folder}/../reference.npy
"""A row added to a padded matrix. Rows of the input are found by the pitch of the output."""

import triton
import triton.language as tl


@triton.jit
def add_bias(x, bias, out, pitch_x, pitch_out, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    tile = tl.load(x + rows[:, None] * pitch_out + columns[None, :])
    tl.store(out + rows[:, None] * pitch_out + columns[None, :], tile + tl.load(bias + columns)[None, :])
