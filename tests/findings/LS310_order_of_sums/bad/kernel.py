# args: run {file}::total --check all --fail-on info --schedules 16 --grid "cdiv(n, BLOCK)" x=randn:f32[4096] out=zeros:f32[1] n=4096 BLOCK=128
"""Programs add their sums to one float by atomics: the order of the additions, and so the rounding, is another in every run."""

import triton
import triton.language as tl


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + index, mask=index < n, other=0.0)), sem="relaxed")
