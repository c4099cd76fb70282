# args: run {file}::mean --grid 1 --check all --fail-on warning x=ones:bf16[65536] out=zeros:f32[64] n=65536 BLOCK=64
"""256 + 1 is 256 in bf16: sums of a thousand ones stop there."""

import triton
import triton.language as tl


@triton.jit
def mean(x, out, n, BLOCK: tl.constexpr):
    total = tl.zeros([BLOCK], tl.bfloat16)
    for start in range(0, n, BLOCK):
        index = start + tl.arange(0, BLOCK)
        total += tl.load(x + index, mask=index < n, other=0.0)
    tl.store(out + tl.arange(0, BLOCK), total)
