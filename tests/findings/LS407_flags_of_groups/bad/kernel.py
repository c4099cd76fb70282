# args: run {file}::flag --grid 1 --check quick,lanes h=zeros:i32[16] "x=randint(0,16):i32[64]" BLOCK=64
"""Lanes that share an element all count."""

import triton
import triton.language as tl


@triton.jit
def flag(h, x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    bin = tl.load(x + i)
    tl.store(h + bin, tl.load(h + bin) + (i >= 0).to(tl.int32))
