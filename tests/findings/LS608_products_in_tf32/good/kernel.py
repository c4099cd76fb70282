# args: run {file}::multiply --grid 1 --check all --fail-on warning a=randn:f32[32,64] b=randn:f32[64,32] out=zeros:f32[32,32] M=32 N=32 K=64 --expect out=@{folder}/../reference.npy
"""A product of f32 matrices in all their digits."""

import triton
import triton.language as tl


@triton.jit
def multiply(a, b, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns, depth = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    left = tl.load(a + rows[:, None] * K + depth[None, :])
    right = tl.load(b + depth[:, None] * N + columns[None, :])
    tl.store(out + rows[:, None] * N + columns[None, :], tl.dot(left, right, input_precision="ieee"))
