# args: run {file}::ticket --check races --schedules 3 --grid 2 counter=zeros:i32[1] out=zeros:i32[2]
"""A launch that is made in several orders of programs prints once, in the grid's order."""

import triton
import triton.language as tl


@triton.jit
def ticket(counter, out):
    mine = tl.atomic_add(counter, 1)
    tl.device_print("program", tl.program_id(0))
    tl.store(out + mine, mine)
