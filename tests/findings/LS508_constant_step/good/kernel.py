# args: run {file}::chunks --grid 1 --check all o=zeros:i32[1] first=0
"""The counter has 64 bits."""

import triton
import triton.language as tl


@triton.jit
def chunks(o, first):
    n = 0
    for i in range(first.to(tl.int64), 2000000000, 1500000000):
        n += 1
    tl.store(o, n)
