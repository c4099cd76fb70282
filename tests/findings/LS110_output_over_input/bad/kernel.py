# args: run {file}::shift --fail-on info --check all --grid 1 x=arange:f32[1088] "out=view(x, offset=64, shape=[1024])" n=1024 BLOCK=1024
"""The output is a slice of the input's buffer, 64 elements further on."""

import triton
import triton.language as tl


@triton.jit
def shift(x, out, n, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    mask = index < n
    value = tl.load(x + index, mask=mask, other=0.0)
    tl.debug_barrier()
    tl.store(out + index, value, mask=mask)
