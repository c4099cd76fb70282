# args: run {file}::roots --grid 2 --check all,cancellation --fail-on warning b=rand:f32[256] c=rand:f32[256] out=zeros:f32[256] BLOCK=128
"""The smaller root of x^2 - 2 b x + c for large b, by the larger one."""

import triton
import triton.language as tl


@triton.jit
def roots(b, c, out, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    half = 1000.0 + 1000.0 * tl.load(b + index)
    last = tl.load(c + index)
    tl.store(out + index, last / (half + tl.sqrt(half * half - last)))
