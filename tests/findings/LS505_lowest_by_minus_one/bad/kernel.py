# args: run {file}::ratios --grid 1 --check all "a=full(-2147483648):i32[3]" "b=full(-1):i32[3]" out=zeros:i32[3] n=3 BLOCK=4
"""The lowest number of 32 bits divided by -1 is 2^31, which they do not hold."""

import triton
import triton.language as tl


@triton.jit
def ratios(a, b, out, n, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    inside = index < n
    over = tl.load(a + index, mask=inside, other=0)
    under = tl.load(b + index, mask=inside, other=1)
    tl.store(out + index, over // under, mask=inside)
