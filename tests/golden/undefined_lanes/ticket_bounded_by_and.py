# args: run {file}::spread --check all --grid 1 counts=zeros:i32[40] table=randn:f32[16] out=empty:f32[40] n=40 BLOCK=64
"""Lanes that are masked off an atomic get no ticket; whichever it is, its lowest bits lie in the table, and nothing of it is stored."""

import triton
import triton.language as tl


@triton.jit
def spread(counts, table, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    ticket = tl.atomic_add(counts + i, 1, mask=i < n)
    value = tl.load(table + (ticket & 0xF))
    tl.store(out + i, value, mask=i < n)
