# args: run {file}::rotation --grid 8 --check all --fail-on warning "positions=arange:i32[128]" frequencies=rand:f32[16] out=zeros:f32[128,16] first=1000000 D=16 BLOCK=16 --expect out=@{folder}/../reference.npy
"""Rotary angles of a long context in f64, down to one turn: what the cosine sees has all its digits."""

import triton
import triton.language as tl


@triton.jit
def rotation(positions, frequencies, out, first, D: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    lanes = tl.arange(0, D)
    position = (tl.load(positions + rows) + first).to(tl.float64)
    turns = position[:, None] * (tl.load(frequencies + lanes).to(tl.float64) * 0.15915494309189535)[None, :]
    angle = ((turns - tl.floor(turns)) * 6.283185307179586).to(tl.float32)
    tl.store(out + rows[:, None] * D + lanes[None, :], tl.cos(angle))
