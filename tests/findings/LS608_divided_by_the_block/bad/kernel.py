# args: run {file}::normalise --grid 8 --check all --fail-on warning x=randn:f32[8,100] out=zeros:f32[8,100] n=100 eps=1e-6 BLOCK=128 --expect out=@{folder}/../reference.npy
"""RMS norm. The sum of squares is divided by the length of the block, not of the row."""

import triton
import triton.language as tl


@triton.jit
def normalise(x, out, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    inside = columns < n
    value = tl.load(x + row * n + columns, mask=inside, other=0.0)
    mean = tl.sum(value * value, axis=0) / BLOCK
    tl.store(out + row * n + columns, value * tl.rsqrt(mean + eps), mask=inside)
