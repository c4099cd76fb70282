# args: run {file}::count_positive --check all --grid "cdiv(n, BLOCK)" x=randn:f32[1000] count=zeros:i32[1] n=1000 BLOCK=64
"""Each program adds to a counter by a load and a store: programs that run at once lose each other's sums."""

import triton
import triton.language as tl


@triton.jit
def count_positive(x, count, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + index, mask=index < n, other=0.0)
    found = tl.sum((values > 0).to(tl.int32))
    tl.store(count, tl.load(count) + found)
