# args: run {file}::add_under_lock --grid 6 --fail-on warning --check all gradient=rand:f32[768] partial=zeros:f32[128] lock=zeros:i32[1] BLOCK=128
"""All threads have stored before one releases the lock."""

import triton
import triton.language as tl


@triton.jit
def add_under_lock(gradient, partial, lock, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    mine = tl.load(gradient + tl.program_id(0) * BLOCK + i)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(partial + i, tl.load(partial + i) + mine)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)
