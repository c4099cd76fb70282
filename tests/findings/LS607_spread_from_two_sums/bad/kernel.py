# args: run {file}::spread --grid 8 --check all,cancellation --fail-on warning x=rand:f32[8,256] out=zeros:f32[8] n=256 BLOCK=64
"""A variance from the sums of numbers and squares, updated block by block."""

import triton
import triton.language as tl


@triton.jit
def spread(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    first = 0.0
    second = 0.0
    for start in range(0, n, BLOCK):
        value = tl.load(x + row * n + start + tl.arange(0, BLOCK)) + 3000.0
        first += tl.sum(value, axis=0)
        second += tl.sum(value * value, axis=0)
    tl.store(out + row, (second - first / n * first) / (n - 1))
