# args: run {file}::soften --grid 2 --check all --fail-on warning x=randn:f32[32,16] out=zeros:f32[32,16] D=16 --expect out=@{folder}/../reference.npy
"""Softmax of rows. Without keep_dims the sums of rows are spread along columns."""

import triton
import triton.language as tl


@triton.jit
def soften(x, out, D: tl.constexpr):
    rows = tl.program_id(0) * D + tl.arange(0, D)
    places = rows[:, None] * D + tl.arange(0, D)[None, :]
    tile = tl.load(x + places)
    weight = tl.exp(tile - tl.max(tile, axis=1, keep_dims=True))
    tl.store(out + places, weight / tl.sum(weight, axis=1))
