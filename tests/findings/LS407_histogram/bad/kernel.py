# args: run {file}::count --grid 1 --check all h=zeros:i32[16] "x=randint(0,16):i32[1000]" n=1000 BLOCK=1024
"""Lanes that share a bin all add one to what the bin was: one of them counts. The barrier changes nothing."""

import triton
import triton.language as tl


@triton.jit
def count(h, x, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    bin = tl.load(x + i, mask=i < n, other=0)
    old = tl.load(h + bin, mask=i < n, other=0)
    tl.debug_barrier()
    tl.store(h + bin, old + 1, mask=i < n)
