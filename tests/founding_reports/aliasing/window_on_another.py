# args: run {file}::add_one --grid 2 x=arange:f32[8] base=zeros:f32[8] "out=view(base, offset=0, shape=[8], strides=[1])" n=8 BLOCK=4 --print base --expect base=@{folder}/window_on_another.npy
"""A view of a tensor that is no argument of the kernel."""

import triton
import triton.language as tl


@triton.jit
def add_one(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + index, mask=index < n)
    tl.store(out + index, value + 1, mask=index < n)
