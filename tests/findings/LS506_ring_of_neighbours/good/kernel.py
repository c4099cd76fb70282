# args: run {file}::left_neighbours --grid 8 --check all --fail-on warning x=arange:f32[9] out=zeros:f32[8] n=8
"""Nothing is negative when the remainder is taken."""

import triton
import triton.language as tl


@triton.jit
def left_neighbours(x, out, n):
    program = tl.program_id(0)
    tl.store(out + program, tl.load(x + (program - 3 + n) % n + 1))
