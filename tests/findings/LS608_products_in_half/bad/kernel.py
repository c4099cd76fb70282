# args: run {file}::multiply --grid 1 --check all --fail-on error a=randn:f16[32,512] b=randn:f16[512,32] out=zeros:f32[32,32] K=512 M=32 N=32 BLOCK=32 --rtol 1e-2 --atol 1e-2 --expect out=@{folder}/../reference.npy
"""A product of f16 matrices, summed up in f16 over the blocks."""

import triton
import triton.language as tl


@triton.jit
def multiply(a, b, out, K, M: tl.constexpr, N: tl.constexpr, BLOCK: tl.constexpr):
    rows, columns, depth = tl.arange(0, M), tl.arange(0, N), tl.arange(0, BLOCK)
    acc = tl.zeros([M, N], tl.float16)
    for start in range(0, K, BLOCK):
        left = tl.load(a + rows[:, None] * K + (start + depth)[None, :])
        right = tl.load(b + (start + depth)[:, None] * N + columns[None, :])
        acc += tl.dot(left, right).to(tl.float16)
    tl.store(out + rows[:, None] * N + columns[None, :], acc.to(tl.float32))
