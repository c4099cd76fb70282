# args: run {file}::compact --check all --grid "blocks + 1" flags=ones:i32[8] x=arange:f32[1024] out=zeros:f32[1024] blocks=8 BLOCK=128
"""Blocks behind the last one have a flag of 0."""

import triton
import triton.language as tl


@triton.jit
def compact(flags, x, out, blocks, BLOCK: tl.constexpr):
    block = tl.program_id(0)
    index = block * BLOCK + tl.arange(0, BLOCK)
    flag = tl.load(flags + block, mask=block < blocks, other=0)
    if flag != 0:
        value = tl.load(x + index, mask=index < blocks * BLOCK, other=0.0)
        tl.store(out + index, value)
