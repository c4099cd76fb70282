# args: run {file}::scale --grid 1 --check all --fail-on warning x=ones:bf16[64] out=zeros:f32[64] factor=0.1 n=64 BLOCK=64
"""The tensor takes the type of the factor."""

import triton
import triton.language as tl


@triton.jit
def scale(x, out, factor, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + index, mask=index < n, other=0.0)
    tl.store(out + index, values.to(tl.float32) * factor, mask=index < n)
