# args: run {file}::total --grid 1 --check all --fail-on warning x=ones:bf16[65536] out=zeros:f32[1] n=65536 BLOCK=64
"""The sum of a thousand sums stops at 16384, where 64 is half a unit of bf16."""

import triton
import triton.language as tl


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    sum = tl.full([], 0.0, tl.bfloat16)
    for start in range(0, n, BLOCK):
        sum = tl.sum(tl.load(x + start + tl.arange(0, BLOCK))) + sum
    tl.store(out, sum)
