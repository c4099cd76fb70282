# args: run {file}::product --grid 1 --as sm_80 --fail-on info --check all,lints a=rand:f16[32,16] b=rand:f16[16,32] out=zeros:f32[32,32] M=32 N=32 K=16
"""Eight parts for four warps."""

import triton
import triton.language as tl


@triton.jit
def product(a, b, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    acc = tl.dot(tl.load(a + m[:, None] * K + k[None, :]), tl.load(b + k[:, None] * N + n[None, :]))
    tl.store(out + m[:, None] * N + n[None, :], acc)
