# args: run {file}::scale --grid 4,4 --check all --fail-on warning x=randn:f32[4,4,8,16] out=zeros:f32[4,4,8,16] stride_b=512 stride_h=128 by=2.0 M=8 N=16 --expect out=@{folder}/../reference.npy
"""Tiles of heads of batches."""

import triton
import triton.language as tl


@triton.jit
def scale(x, out, stride_b, stride_h, by, M: tl.constexpr, N: tl.constexpr):
    batch = tl.program_id(0)
    head = tl.program_id(1)
    places = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tile = tl.load(x + batch * stride_b + head * stride_h + places)
    tl.store(out + batch * stride_b + head * stride_h + places, tile * by)
