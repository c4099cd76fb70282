# args: run {file}::spread --grid 1 --check all --fail-on warning "x=full(10000.1):f32[1024]" out=zeros:f32[1] n=1024 BLOCK=128
"""Two passes."""

import triton
import triton.language as tl


@triton.jit
def spread(x, out, n, BLOCK: tl.constexpr):
    first = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        first += tl.load(x + start + tl.arange(0, BLOCK))
    mean = tl.sum(first) / n
    second = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        apart = tl.load(x + start + tl.arange(0, BLOCK)) - mean
        second += apart * apart
    tl.store(out, tl.sqrt(tl.sum(second) / n))
