# args: run {file}::running_sum --grid 1 --fail-on warning --check all x=arange:i32[128] BLOCK=128 STEPS=7
"""All have read before one stores, all have stored before the next round reads."""

import triton
import triton.language as tl


@triton.jit
def running_sum(x, BLOCK: tl.constexpr, STEPS: tl.constexpr):
    i = tl.arange(0, BLOCK)
    for step in range(STEPS):
        reach = 1 << step
        left = tl.load(x + i - reach, mask=i >= reach, other=0)
        here = tl.load(x + i)
        tl.debug_barrier()
        tl.store(x + i, here + left)
        tl.debug_barrier()
