# args: run {file}::copy_ragged --grid 4 --check all x=arange:f32[64] starts=arange:i32[4] out=zeros:f32[4,16] BLOCK=16
"""Nothing is promised."""

import triton
import triton.language as tl


@triton.jit
def copy_ragged(x, starts, out, BLOCK: tl.constexpr):
    sequence = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    start = tl.load(starts + sequence)
    tl.store(out + sequence * BLOCK + columns, tl.load(x + start + columns))
