# args: run {file}::fill --fail-on warning --check all --grid "n // BLOCK" x=arange:f32[200] out=empty:f32[200] n=200 BLOCK=64
"""The grid is n // BLOCK where cdiv was meant: the last 8 elements belong to a program that is never started."""

import triton
import triton.language as tl


@triton.jit
def fill(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < n
    tl.store(out + index, tl.load(x + index, mask=mask) * 2.0, mask=mask)
