# args: run {file}::histogram --grid 8 --check all --fail-on warning "x=randint(0,16):i32[1000]" bins=zeros:i32[16] n=1000 BLOCK=128 --expect bins=@{folder}/../reference.npy
"""The lanes behind the end load bin 0, and count there."""

import triton
import triton.language as tl


@triton.jit
def histogram(x, bins, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    b = tl.load(x + index, mask=index < n, other=0)
    tl.atomic_add(bins + b, 1)
