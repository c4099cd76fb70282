# args: run {file}::set_bits --grid 1 --check all flags=arange:i32[64] out=zeros:i32[64] BLOCK=64
"""Flags beyond 31 give 0 without a shift."""

import triton
import triton.language as tl


@triton.jit
def set_bits(flags, out, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    bit = tl.load(flags + lane)
    tl.store(out + lane, tl.where(bit < 32, 1 << (bit & 31), 0))
