# args: run {file}::sums --grid 2 --fail-on info --check all,lints x=rand:f32[32,101] out=zeros:f32[32] PITCH=101
"""Rows of 32 floats, 101 apart: five sectors for four."""

import triton
import triton.language as tl


@triton.jit
def sums(x, out, PITCH: tl.constexpr):
    rows = tl.program_id(0) * 16 + tl.arange(0, 16)
    columns = tl.arange(0, 32)
    tile = tl.load(x + rows[:, None] * PITCH + columns[None, :])
    tl.store(out + rows, tl.sum(tile, axis=1))
