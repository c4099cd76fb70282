# args: run {file}::running --grid 3 --check all --fail-on warning x=randn:f32[3,16,32] out=zeros:f32[3,16,32] M=16 N=32 --expect out=@{folder}/../reference.npy
"""Running sums of rows."""

import triton
import triton.language as tl


@triton.jit
def running(x, out, M: tl.constexpr, N: tl.constexpr):
    places = tl.program_id(0) * M * N + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + places, tl.cumsum(tl.load(x + places), axis=1))
