# args: run {file}::matmul --grid "cdiv(M,BM),cdiv(N,BN)" --check all,-precision --fail-on warning a=randn:f32[64,50] b=randn:f32[50,48] c=empty:f32[40,48] M=40 N=48 K=50 BM=16 BN=16 BK=32
"""The columns are masked."""

import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    a_ptrs = a + m[:, None] * K + k[None, :]
    b_ptrs = b + k[:, None] * N + n[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        left = tl.load(a_ptrs, mask=(m < M)[:, None] & (start + k < K)[None, :], other=0.0)
        right = tl.load(b_ptrs, mask=(start + k < K)[:, None] & (n < N)[None, :], other=0.0)
        acc = tl.dot(left, right, acc, input_precision="ieee")
        a_ptrs += BK
        b_ptrs += BK * N
    tl.store(c + m[:, None] * N + n[None, :], acc, mask=(m < M)[:, None] & (n < N)[None, :])
