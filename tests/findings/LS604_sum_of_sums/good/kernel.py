# args: run {file}::total --grid 1 --check all --fail-on warning x=ones:bf16[65536] out=zeros:f32[1] n=65536 BLOCK=64
"""All sums have 32 bits."""

import triton
import triton.language as tl


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    sum = tl.full([], 0.0, tl.float32)
    for start in range(0, n, BLOCK):
        sum = tl.sum(tl.load(x + start + tl.arange(0, BLOCK)).to(tl.float32)) + sum
    tl.store(out, sum)
