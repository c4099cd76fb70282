# args: run {file}::total --check all --fail-on info --schedules 16 --grid "cdiv(n, BLOCK)" x=randn:f32[4096] partial=zeros:f32[32] counter=zeros:i32[1] out=zeros:f32[1] n=4096 BLOCK=128 PROGRAMS=32
"""The last program to arrive adds the sums of all, in the order of the grid."""

import triton
import triton.language as tl


@triton.jit
def total(x, partial, counter, out, n, BLOCK: tl.constexpr, PROGRAMS: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(partial + tl.program_id(0), tl.sum(tl.load(x + index, mask=index < n, other=0.0)))
    arrived = tl.atomic_add(counter, 1)
    if arrived == PROGRAMS - 1:
        tl.store(out, tl.sum(tl.load(partial + tl.arange(0, PROGRAMS))))
