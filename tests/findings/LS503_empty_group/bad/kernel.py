# args: run {file}::group_means --grid 1 --check all "totals=arange:i32[30]" "counts=randint(0,4):i32[30]" means=zeros:i32[30] n=30 BLOCK=32
"""Some groups are empty: their means are quotients by zero. Lanes past the end divide by zero, too, and are never stored."""

import triton
import triton.language as tl


@triton.jit
def group_means(totals, counts, means, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    total = tl.load(totals + index, mask=inside, other=0)
    count = tl.load(counts + index, mask=inside, other=0)
    tl.store(means + index, total // count, mask=inside)
