# args: run {file}::scan --check all --resident 4 --grid 8 x=randn:f32[512] sums=zeros:f32[8] ready=zeros:i32[8] n=512 BLOCK=64
"""Each program waits for the next one: with room for four at once, the fourth waits for one that cannot start."""

import triton
import triton.language as tl


@triton.jit
def scan(x, sums, ready, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    neighbour = pid + 1
    index = pid * BLOCK + tl.arange(0, BLOCK)
    total = tl.sum(tl.load(x + index, mask=index < n, other=0.0))
    if (neighbour >= 0) & (neighbour < tl.num_programs(0)):
        while tl.atomic_add(ready + neighbour, 0, sem="acquire") == 0:
            pass
        total += tl.load(sums + neighbour)
    tl.store(sums + pid, total)
    tl.atomic_xchg(ready + pid, 1, sem="release")
