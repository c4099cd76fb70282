# args: run {file}::gram --grid 1 --check all --fail-on warning x=rand:f32[16,16] out=zeros:f32[16,16] SIZE=16
"""A dot of f32 numbers rounds them to tf32 unless told otherwise."""

import triton
import triton.language as tl


@triton.jit
def gram(x, out, SIZE: tl.constexpr):
    rows = tl.arange(0, SIZE)
    tile = rows[:, None] * SIZE + rows[None, :]
    a = tl.load(x + tile)
    tl.store(out + tile, tl.dot(a, a))
