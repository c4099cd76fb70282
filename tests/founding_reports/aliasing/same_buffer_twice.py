# args: run {file}::add_one --grid 2 x=arange:f32[8] "out=view(x, offset=0, shape=[8], strides=[1])" n=8 BLOCK=4 --print x --expect x=@{folder}/same_buffer_twice.npy
"""One buffer is passed as input and as output: both names see every store."""

import triton
import triton.language as tl


@triton.jit
def add_one(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + index, mask=index < n)
    tl.store(out + index, value + 1, mask=index < n)
