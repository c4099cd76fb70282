# args: run {file}::column_sums --grid 4 --fail-on info --check all,lints x=rand:f32[8,256] out=zeros:f32[256] n=8 B=64
"""The sum so far is stored in every iteration."""

import triton
import triton.language as tl


@triton.jit
def column_sums(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    total = tl.zeros([B], tl.float32)
    for k in range(n):
        total += tl.load(x + k * 4 * B + i)
        tl.store(out + i, total)
