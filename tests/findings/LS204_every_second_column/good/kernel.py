# args: run {file}::interleave --fail-on warning --check all --grid rows x=arange:f32[4,32] out=empty:f32[4,64] rows=4 HALF=32
"""Both of each pair are stored."""

import triton
import triton.language as tl


@triton.jit
def interleave(x, out, rows, HALF: tl.constexpr):
    row = tl.program_id(0)
    lane = tl.arange(0, HALF)
    value = tl.load(x + row * HALF + lane)
    tl.store(out + row * 2 * HALF + 2 * lane, value)
    tl.store(out + row * 2 * HALF + 2 * lane + 1, -value)
