# args: run {file}::copy --grid "cdiv(n, BLOCK)" x=arange:f32[1000] out=zeros:f32[1000] n=1000 BLOCK=128
"""The tail is masked on the load and on the store."""

import triton
import triton.language as tl


@triton.jit
def copy(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + index, tl.load(x + index, mask=index < n), mask=index < n)
