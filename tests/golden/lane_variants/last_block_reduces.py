# args: run {file}::total --grid 8 --fail-on warning --check lanes x=rand:f32[1024] partial=zeros:f32[8,32] ticket=zeros:i32[1] out=zeros:f32[1] B=128
"""LS308: partial tiles, then a ticket with release; the last program sums them."""

import triton
import triton.language as tl


@triton.jit
def total(x, partial, ticket, out, B: tl.constexpr):
    pid = tl.program_id(0)
    part = tl.sum(tl.load(x + pid * B + tl.arange(0, B)).reshape(4, 32), axis=0)
    tl.store(partial + pid * 32 + tl.arange(0, 32), part)
    if tl.atomic_add(ticket, 1, sem="acq_rel") == tl.num_programs(0) - 1:
        all = tl.load(partial + tl.arange(0, 8)[:, None] * 32 + tl.arange(0, 32)[None, :])
        tl.store(out, tl.sum(all))
