# args: run {file}::total --check all --grid 8 x=randn:f32[1000] partial=zeros:f32[8] counter=zeros:i32[1] out=zeros:f32[1] n=1000 BLOCK=128 PROGRAMS=8
"""The counter releases and acquires."""

import triton
import triton.language as tl


@triton.jit
def total(x, partial, counter, out, n, BLOCK: tl.constexpr, PROGRAMS: tl.constexpr):
    pid = tl.program_id(0)
    index = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(partial + pid, tl.sum(tl.load(x + index, mask=index < n, other=0.0)))
    arrived = tl.atomic_add(counter, 1, sem="acq_rel")
    if arrived == PROGRAMS - 1:
        tl.store(out, tl.sum(tl.load(partial + tl.arange(0, PROGRAMS))))
