# args: run {file}::append --check all --grid 6 values=arange:f32[6] count=zeros:i32[1] log=zeros:f32[6] lock=zeros:i32[1]
"""A lock taken by exchanges and opened by a plain store."""

import triton
import triton.language as tl


@triton.jit
def append(values, count, log, lock):
    value = tl.load(values + tl.program_id(0))
    while tl.atomic_xchg(lock, 1) == 1:
        pass
    place = tl.load(count)
    tl.debug_barrier()
    tl.store(log + place, value)
    tl.store(count, place + 1)
    tl.store(lock, 0)
