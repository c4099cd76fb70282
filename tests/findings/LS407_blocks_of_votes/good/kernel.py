# args: run {file}::vote --grid 1 --check quick,lanes h=zeros:i32[32] x=arange:i32[32] n=32 BLOCK=32
"""No two lanes of a turn share an element; turns follow each other."""

import triton
import triton.language as tl


@triton.jit
def vote(h, x, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    for start in range(0, 4 * n, BLOCK):
        bin = tl.load(x + i)
        tl.store(h + bin, tl.load(h + bin) ^ (i + 1))
        tl.debug_barrier()
