# args: run {file}::count --grid 1 --check all h=zeros:i32[16] "x=randint(0,16):i32[1000]" n=1000 BLOCK=1024
"""Each lane adds by itself."""

import triton
import triton.language as tl


@triton.jit
def count(h, x, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    bin = tl.load(x + i, mask=i < n, other=0)
    tl.atomic_add(h + bin, 1, mask=i < n)
