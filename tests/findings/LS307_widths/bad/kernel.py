# args: run {file}::count_pairs --check all --grid 4 pairs=zeros:i32[2] 
"""Two counters of 32 bits, and some programs add to both at once as one of 64 bits."""

import triton
import triton.language as tl


@triton.jit
def count_pairs(pairs):
    if tl.program_id(0) % 2 == 0:
        tl.atomic_add(pairs, 1, sem="relaxed")
    else:
        tl.atomic_add(pairs.to(tl.pointer_type(tl.int64)), (1 << 32) + 1, sem="relaxed")
