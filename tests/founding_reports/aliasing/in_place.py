# args: run {file}::double --grid 2 x=arange:f32[8] n=8 BLOCK=4 --print x --expect x=@{folder}/in_place.npy
"""A kernel with one argument that it changes in place."""

import triton
import triton.language as tl


@triton.jit
def double(x, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + index, mask=index < n)
    tl.store(x + index, value + value, mask=index < n)
