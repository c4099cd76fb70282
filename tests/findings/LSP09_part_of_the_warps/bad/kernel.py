# args: run {file}::product --grid 1 --as sm_80 --fail-on info --check all,lints a=rand:f16[16,16] b=rand:f16[16,8] out=zeros:f32[16,8] M=16 N=8 K=16
# args: run {file}::product --grid 1 --as a100 --fail-on info --check lints a=rand:f16[16,16] b=rand:f16[16,8] out=zeros:f32[16,8] M=16 N=8 K=16
"""Four warps, and a product that is one part of 16 by 8: three of them do what the first one does."""

import triton
import triton.language as tl


@triton.jit
def product(a, b, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    acc = tl.dot(tl.load(a + m[:, None] * K + k[None, :]), tl.load(b + k[:, None] * N + n[None, :]))
    tl.store(out + m[:, None] * N + n[None, :], acc)
