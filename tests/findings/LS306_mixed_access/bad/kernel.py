# args: run {file}::histogram --check all --grid "cdiv(n, BLOCK)" "x=randint(0,16):i32[1000]" bins=zeros:i32[16] total=zeros:i32[8] n=1000 BLOCK=128
"""The first bin is updated atomically and looked at by a plain load."""

import triton
import triton.language as tl


@triton.jit
def histogram(x, bins, total, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + index, mask=index < n, other=0)
    tl.atomic_add(bins + values, 1, mask=index < n, sem="relaxed")
    seen = tl.load(bins)
    tl.store(total + tl.program_id(0), seen)
