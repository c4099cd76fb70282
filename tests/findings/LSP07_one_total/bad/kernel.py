# args: run {file}::total --grid 32 --fail-on info --check all,lints x=rand:f32[2048] out=zeros:f32[1] B=64
"""32 programs add to one address."""

import triton
import triton.language as tl


@triton.jit
def total(x, out, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_add(out, tl.sum(tl.load(x + i)), sem="relaxed")
