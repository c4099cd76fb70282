# args: run {file}::group_means --grid 1 --check all "totals=arange:i32[30]" "counts=randint(0,4):i32[30]" means=zeros:i32[30] n=30 BLOCK=32
"""Empty groups are divided by 1 and get 0."""

import triton
import triton.language as tl


@triton.jit
def group_means(totals, counts, means, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    total = tl.load(totals + index, mask=inside, other=0)
    count = tl.load(counts + index, mask=inside, other=0)
    tl.store(means + index, tl.where(count > 0, total // tl.maximum(count, 1), 0), mask=inside)
