# args: run {file}::last_of_bin --grid 1 --check all index="randint(0,40):i32[100]" x=arange:i32[100] out=zeros:i32[100] n=100 BLOCK=128
"""The largest value stays, whatever the order."""

import triton
import triton.language as tl


@triton.jit
def last_of_bin(index, x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    bin = tl.load(index + i, mask=i < n, other=0)
    value = tl.load(x + i, mask=i < n, other=0)
    tl.atomic_max(out + bin, value, mask=i < n)
