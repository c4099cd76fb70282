# args: run {file}::chunks --grid 1 --check all o=zeros:i32[1] first=0
"""Chunks of 1.5 billion: after the second one the counter wraps. A constant step: an assembler may count the turns beforehand."""

import triton
import triton.language as tl


@triton.jit
def chunks(o, first):
    n = 0
    for i in range(first, 2000000000, 1500000000):
        n += 1
    tl.store(o, n)
