# args: run {file}::copy --grid 4 --check all,-tiles x=arange:f32[256] o=zeros:f32[256] stride=16777216 n=2000000000 BLOCK=64
"""The product of a column and its stride passes 2^31 and is below every bound then."""

import triton
import triton.language as tl


@triton.jit
def copy(x, o, stride, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + i, tl.load(x + i), mask=i * stride < n)
