# args: run {file}::ratios --grid 1 --check all "a=full(-2147483648):i32[3]" "b=full(-1):i32[3]" out=zeros:i64[3] n=3 BLOCK=4
"""In 64 bits every quotient of numbers of 32 bits fits."""

import triton
import triton.language as tl


@triton.jit
def ratios(a, b, out, n, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    inside = index < n
    over = tl.load(a + index, mask=inside, other=0)
    under = tl.load(b + index, mask=inside, other=1)
    tl.store(out + index, over.to(tl.int64) // under, mask=inside)
