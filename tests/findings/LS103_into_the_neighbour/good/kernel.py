# args: run {file}::add --grid "cdiv(n, BLOCK)" pool=zeros:f32[2024] x=arange:f32[1000] "y=view(pool, offset=1000, shape=[1000], strides=[1])" "out=view(pool, offset=0, shape=[1000], strides=[1])" n=1000 BLOCK=256
"""The bound is the number of elements of out."""

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.load(x + index, mask=index < 1000, other=0.0) + tl.load(y + index, mask=index < 1000, other=0.0)
    tl.store(out + index, total, mask=index < n)
