# args: run {file}::matmul --check all --grid 2,2,2 a=randn:f16[32,64] b=randn:f16[64,32] c=zeros:f32[32,32] K=64 M=16 N=16 BLOCK_K=16 SPLIT_K=2
"""The parts are added."""

import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, K, M: tl.constexpr, N: tl.constexpr, BLOCK_K: tl.constexpr, SPLIT_K: tl.constexpr):
    pid_k = tl.program_id(2)
    rows = tl.program_id(0) * M + tl.arange(0, M)
    cols = tl.program_id(1) * N + tl.arange(0, N)
    acc = tl.zeros((M, N), dtype=tl.float32)
    for k in range(pid_k * BLOCK_K, K, SPLIT_K * BLOCK_K):
        ks = k + tl.arange(0, BLOCK_K)
        x = tl.load(a + rows[:, None] * K + ks[None, :])
        y = tl.load(b + ks[:, None] * 32 + cols[None, :])
        acc = tl.dot(x, y, acc)
    out = c + rows[:, None] * 32 + cols[None, :]
    tl.atomic_add(out, acc)
