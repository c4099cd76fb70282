# args: run {file}::turns --grid 2 --check all,-races o=zeros:i32[2,2] step=2621440
"""The counter passes the largest i32 below the end: it goes on at the lowest one."""

import triton
import triton.language as tl


@triton.jit
def turns(o, step):
    pid = tl.program_id(0)
    n = 0
    last = 0
    for i in range(524288, 2146435072, step):
        n += 1
        last = i
    tl.store(o + 2 * pid, n)
    tl.store(o + 2 * pid + 1, last)
