# args: run {file}::scale --grid 2,2 --check all --fail-on warning x=randn:f32[64,64] out=zeros:f32[64,64] stride_m=64 stride_n=1 by=2.0 BLOCK_M=32 BLOCK_N=32 --expect out=@{folder}/../reference.npy
"""Twice a matrix. The strides of the input are at the wrong axes, and the matrix is square."""

import triton
import triton.language as tl


@triton.jit
def scale(x, out, stride_m, stride_n, by, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    tile = tl.load(x + rows[:, None] * stride_n + columns[None, :] * stride_m)
    tl.store(out + rows[:, None] * stride_m + columns[None, :] * stride_n, tile * by)
