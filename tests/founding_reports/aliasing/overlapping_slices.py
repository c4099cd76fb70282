# args: run {file}::add_one --grid 1 x=arange:f32[12] "out=view(x, offset=4, shape=[8], strides=[1])" n=8 BLOCK=8 --print x --expect x=@{folder}/overlapping_slices.npy
"""Two slices that overlap: the tile is loaded before any of it is stored, so all eight sums are of the old values."""

import triton
import triton.language as tl


@triton.jit
def add_one(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + index, mask=index < n)
    tl.store(out + index, value + 1, mask=index < n)
