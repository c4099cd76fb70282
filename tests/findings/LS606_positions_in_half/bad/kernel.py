# args: run {file}::angles --grid 64 --check all --fail-on warning frequencies=ones:f16[64] out=zeros:f32[4096] BLOCK=64
"""Positions take the type of the frequencies: f16 does not tell 2049 from 2048."""

import triton
import triton.language as tl


@triton.jit
def angles(frequencies, out, BLOCK: tl.constexpr):
    position = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    frequency = tl.load(frequencies + tl.arange(0, BLOCK))
    tl.store(out + position, (position * frequency).to(tl.float32))
