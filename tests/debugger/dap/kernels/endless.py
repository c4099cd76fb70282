"""A kernel that runs for a long time, to be paused."""

import triton
import triton.language as tl


@triton.jit
def endless(out, turns):
    total = 0
    for i in range(turns):
        total += i % 7
    tl.store(out + tl.program_id(0), total)
