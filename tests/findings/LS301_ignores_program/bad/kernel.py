# args: run {file}::scale --check all --fail-on info --grid "cdiv(n, BLOCK)" x=arange:f32[512] out=zeros:f32[512] n=512 BLOCK=128
"""Every program does the work of the first one: the values are equal, so nothing shows today."""

import triton
import triton.language as tl


@triton.jit
def scale(x, out, n, BLOCK: tl.constexpr):
    index = tl.arange(0, 512)
    tl.store(out + index, 2.0 * tl.load(x + index, mask=index < n), mask=index < n)
