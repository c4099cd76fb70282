# args: run {file}::log_sum_exp --grid 1 --check all x=zeros:f32[64] out=zeros:f32[1] n=64 BLOCK=32
"""The base of the exponents is 0 then."""

import triton
import triton.language as tl


@triton.jit
def log_sum_exp(x, out, n, BLOCK: tl.constexpr):
    most = float("-inf")
    total = 0.0
    for start in range(0, n, BLOCK):
        index = start + tl.arange(0, BLOCK)
        block = tl.load(x + index, mask=index < n, other=0.0)
        block = tl.where(block > 0, block, float("-inf"))
        larger = tl.maximum(most, tl.max(block, axis=0))
        base = tl.where(larger == float("-inf"), 0.0, larger)
        total = total * tl.exp(most - base) + tl.sum(tl.exp(block - base), axis=0)
        most = larger
    tl.store(out, tl.where(total > 0, most + tl.log(tl.maximum(total, 1e-30)), -1e30))
