# args: run {file}::rope --grid 4 --fail-on warning --check lanes x=rand:f32[4,64] HALF=32
"""Silent: each half is loaded and stored by the same lanes."""

import triton
import triton.language as tl


@triton.jit
def rope(x, HALF: tl.constexpr):
    i = tl.arange(0, HALF)
    row = x + tl.program_id(0) * 2 * HALF
    a = tl.load(row + i)
    b = tl.load(row + HALF + i)
    tl.store(row + i, a * 0.8 - b * 0.6)
    tl.store(row + HALF + i, b * 0.8 + a * 0.6)
