# args: run {file}::accumulate --check all --grid 4 x=randn:f32[256] total=zeros:f16[64] BLOCK=64
"""All of them add numbers of 16 bits."""

import triton
import triton.language as tl


@triton.jit
def accumulate(x, total, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    bits = tl.load(x + index).to(tl.float16)
    if tl.program_id(0) == 0:
        tl.atomic_add(total + tl.arange(0, BLOCK), bits * 2, sem="relaxed")
    else:
        tl.atomic_add(total + tl.arange(0, BLOCK), bits, sem="relaxed")
