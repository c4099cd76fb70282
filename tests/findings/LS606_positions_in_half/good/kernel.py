# args: run {file}::angles --grid 64 --check all --fail-on warning frequencies=ones:f16[64] out=zeros:f32[4096] BLOCK=64
"""The frequencies have 32 bits before the positions take their type."""

import triton
import triton.language as tl


@triton.jit
def angles(frequencies, out, BLOCK: tl.constexpr):
    position = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    frequency = tl.load(frequencies + tl.arange(0, BLOCK))
    tl.store(out + position, position * frequency.to(tl.float32))
