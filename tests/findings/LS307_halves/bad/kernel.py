# args: run {file}::accumulate --check all --grid 4 x=randn:f32[256] total=zeros:f16[64] BLOCK=64
"""One program clears sums of 16 bits two at a time, while the others add to them."""

import triton
import triton.language as tl


@triton.jit
def accumulate(x, total, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    bits = tl.load(x + index).to(tl.float16)
    if tl.program_id(0) == 0:
        tl.atomic_and(total.to(tl.pointer_type(tl.int32)) + tl.arange(0, BLOCK // 2), 0, sem="relaxed")
    else:
        tl.atomic_add(total + tl.arange(0, BLOCK), bits, sem="relaxed")
