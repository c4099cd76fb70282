# args: run {file}::count --check all --grid 4 "x=randint(0,16):i32[512]" bins=zeros:i32[16] BLOCK=128
"""The bins start at 0."""

import triton
import triton.language as tl


@triton.jit
def count(x, bins, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(bins + tl.load(x + index), 1, sem="relaxed")
