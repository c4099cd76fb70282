# args: run {file}::spread --grid 1 --check all --fail-on warning "x=full(10000.1):f32[1024]" out=zeros:f32[1] n=1024 BLOCK=128
"""All numbers are equal: their spread is 0, and a difference of rounding errors is not."""

import triton
import triton.language as tl


@triton.jit
def spread(x, out, n, BLOCK: tl.constexpr):
    first = tl.zeros([BLOCK], tl.float32)
    second = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        value = tl.load(x + start + tl.arange(0, BLOCK))
        first += value
        second += value * value
    mean = tl.sum(first) / n
    tl.store(out, tl.sqrt(tl.maximum(tl.sum(second) / n - mean * mean, 0.0)))
