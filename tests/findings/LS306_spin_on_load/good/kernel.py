# args: run {file}::pipeline --check all --grid 2 x=randn:f32[128] stage=zeros:f32[128] ready=zeros:i32[1] out=zeros:f32[128] N=128
"""It spins on an atomic that acquires."""

import triton
import triton.language as tl


@triton.jit
def pipeline(x, stage, ready, out, N: tl.constexpr):
    index = tl.arange(0, N)
    if tl.program_id(0) == 0:
        tl.store(stage + index, tl.load(x + index) * 2)
        tl.debug_barrier()
        tl.atomic_xchg(ready, 1)
    else:
        while tl.atomic_or(ready, 0) == 0:
            pass
        tl.debug_barrier()
        tl.store(out + index, tl.load(stage + index) + 1)
