# args: run {file}::scale_by_first --grid 3 --fail-on warning --check all x=rand:f32[384] BLOCK=128
"""Every lane loads element 0 of its row, lane 0 then stores over it: a warp that is late loads the quotient."""

import triton
import triton.language as tl


@triton.jit
def scale_by_first(x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    row = x + tl.program_id(0) * BLOCK
    first = tl.load(row + tl.zeros([BLOCK], tl.int32))
    values = tl.load(row + i)
    tl.store(row + i, values / first)
