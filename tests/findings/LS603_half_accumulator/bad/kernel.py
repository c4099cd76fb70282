# args: run {file}::gram --grid 1 --check all "x=full(32):f16[16,128]" out=zeros:f16[16,16] SIZE=16 DEPTH=128
"""Sums of 128 products of 32 * 32 do not fit f16, whose largest number is 65504."""

import triton
import triton.language as tl


@triton.jit
def gram(x, out, SIZE: tl.constexpr, DEPTH: tl.constexpr):
    rows = tl.arange(0, SIZE)
    depth = tl.arange(0, DEPTH)
    a = tl.load(x + rows[:, None] * DEPTH + depth[None, :])
    product = tl.dot(a, tl.trans(a), out_dtype=tl.float16)
    tl.store(out + rows[:, None] * SIZE + rows[None, :], product)
