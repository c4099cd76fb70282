# args: run {file}::copy_ragged --grid 4 --check all x=arange:f32[64] starts=arange:i32[4] out=zeros:f32[4,16] BLOCK=16
"""The starts of ragged sequences are not multiples of 16, as the hint says: the compiler would load 16 bytes at a time."""

import triton
import triton.language as tl


@triton.jit
def copy_ragged(x, starts, out, BLOCK: tl.constexpr):
    sequence = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    start = tl.multiple_of(tl.load(starts + sequence), 16)
    tl.store(out + sequence * BLOCK + columns, tl.load(x + start + columns))
