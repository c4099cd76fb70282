# args: run {file}::vote --grid 1 --check quick,lanes h=zeros:i32[4] "x=randint(0,4):i32[100]" n=100 BLOCK=32
"""A turn of the loop sees what the turn before it stored; lanes of one turn do not see each other."""

import triton
import triton.language as tl


@triton.jit
def vote(h, x, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    for start in range(0, n, BLOCK):
        mask = start + i < n
        bin = tl.load(x + start + i, mask=mask, other=0)
        tl.store(h + bin, tl.load(h + bin, mask=mask, other=0) ^ (i + 1), mask=mask)
