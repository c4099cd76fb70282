# args: run {file}::spread --grid 8 --check all,cancellation --fail-on warning x=rand:f32[8,256] out=zeros:f32[8] n=256 BLOCK=64
"""A variance from the sums of differences to the first number and of their squares."""

import triton
import triton.language as tl


@triton.jit
def spread(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    origin = tl.load(x + row * n) + 3000.0
    first = 0.0
    second = 0.0
    for start in range(0, n, BLOCK):
        apart = tl.load(x + row * n + start + tl.arange(0, BLOCK)) + 3000.0 - origin
        first += tl.sum(apart, axis=0)
        second += tl.sum(apart * apart, axis=0)
    tl.store(out + row, (second - first / n * first) / (n - 1))
