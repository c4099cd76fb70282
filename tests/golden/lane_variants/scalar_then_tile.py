# args: run {file}::publish --grid 4 --fail-on warning --check lanes x=rand:f32[64] sums=zeros:f32[8] out=zeros:f32[32] N=16
"""LS401: one thread stores a sum, a tile loads it with its neighbours."""

import triton
import triton.language as tl


@triton.jit
def publish(x, sums, out, N: tl.constexpr):
    pid = tl.program_id(0)
    i = tl.arange(0, N)
    tl.store(sums + 2 * pid, tl.sum(tl.load(x + pid * N + i)))
    pair = tl.load(sums + 2 * pid + tl.arange(0, 2))
    tl.store(out + pid * 2 + tl.arange(0, 2), pair)
