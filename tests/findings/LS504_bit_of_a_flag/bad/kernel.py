# args: run {file}::set_bits --grid 1 --check all flags=arange:i32[64] out=zeros:i32[64] BLOCK=64
"""Flags go to 63, the words that hold them have 32 bits."""

import triton
import triton.language as tl


@triton.jit
def set_bits(flags, out, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    bit = tl.load(flags + lane)
    tl.store(out + lane, 1 << bit)
