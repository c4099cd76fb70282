# args: run {file}::transpose --grid 1 x=arange:f32[4,4] "out=view(x, offset=0, shape=[4,4], strides=[1,4])" SIZE=4 --print x --expect x=@{folder}/transpose_in_place.npy
"""A matrix is written over itself through its transposed view: loaded whole before it is stored, so nothing is lost."""

import triton
import triton.language as tl


@triton.jit
def transpose(x, out, SIZE: tl.constexpr):
    row = tl.arange(0, SIZE)[:, None]
    column = tl.arange(0, SIZE)[None, :]
    tl.store(out + row + column * SIZE, tl.load(x + row * SIZE + column))
