# args: run {file}::product --check all --grid 1 a=ones:f32[16,20] b=ones:f32[20,16] c=empty:f32[16,16] k=20 M=16 K=16
"""The last step along k has 4 of 16 columns of a; the other 12 have no value and are multiplied and added."""

import triton
import triton.language as tl


@triton.jit
def product(a, b, c, k, M: tl.constexpr, K: tl.constexpr):
    row = tl.arange(0, M)
    sums = tl.zeros([M, M], tl.float32)
    for start in range(0, k, K):
        depth = start + tl.arange(0, K)
        left = tl.load(a + row[:, None] * k + depth[None, :], mask=depth[None, :] < k)
        right = tl.load(b + depth[:, None] * M + row[None, :], mask=depth[:, None] < k)
        sums += tl.dot(left, right)
    tl.store(c + row[:, None] * M + row[None, :], sums)
