# args: run {file}::add_one --grid 1 x=arange:f32[16] "out=view(x, offset=8, shape=[8], strides=[1])" n=8 BLOCK=8 --print x --expect x=@{folder}/two_halves.npy
"""Two slices of one buffer that do not overlap."""

import triton
import triton.language as tl


@triton.jit
def add_one(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + index, mask=index < n)
    tl.store(out + index, value + 1, mask=index < n)
