# args: run {file}::count --grid 1 --check all --fail-on warning "x=full(10000000):i32[512]" out=zeros:i64[1] n=512 BLOCK=64
"""The total has 64 bits."""

import triton
import triton.language as tl


@triton.jit
def count(x, out, n, BLOCK: tl.constexpr):
    total = tl.zeros([], tl.int64)
    for start in range(0, n, BLOCK):
        total += tl.sum(tl.load(x + start + tl.arange(0, BLOCK)).to(tl.int64))
    tl.store(out, total)
