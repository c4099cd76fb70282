# args: run {file}::window --grid 4 --check all,cancellation --fail-on warning x=rand:f32[4,1024] out=zeros:f32[4,1024] WIDTH=4 BLOCK=1024
"""Sums of windows as differences of running sums of numbers around 1000."""

import triton
import triton.language as tl


@triton.jit
def window(x, out, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    value = 1000.0 + tl.load(x + row * BLOCK + columns)
    sums = tl.cumsum(value, axis=0)
    before = tl.gather(sums, tl.maximum(columns - WIDTH, 0), axis=0)
    apart = (sums - before) - 1000.0 * WIDTH
    tl.store(out + row * BLOCK + columns, tl.where(columns >= WIDTH, apart, 0.0))
