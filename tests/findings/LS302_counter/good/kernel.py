# args: run {file}::count_positive --check all --grid "cdiv(n, BLOCK)" x=randn:f32[1000] count=zeros:i32[1] n=1000 BLOCK=64
"""The addition is one operation."""

import triton
import triton.language as tl


@triton.jit
def count_positive(x, count, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + index, mask=index < n, other=0.0)
    found = tl.sum((values > 0).to(tl.int32))
    tl.atomic_add(count, found, sem="relaxed")
