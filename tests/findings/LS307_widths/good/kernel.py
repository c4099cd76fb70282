# args: run {file}::count_pairs --check all --grid 4 pairs=zeros:i32[2] 
"""Each counter is updated on its own."""

import triton
import triton.language as tl


@triton.jit
def count_pairs(pairs):
    if tl.program_id(0) % 2 == 0:
        tl.atomic_add(pairs, 1, sem="relaxed")
    else:
        tl.atomic_add(pairs + tl.arange(0, 2), 1, sem="relaxed")
