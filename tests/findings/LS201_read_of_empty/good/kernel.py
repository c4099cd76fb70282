# args: run {file}::add_residual --check all --grid "cdiv(n, BLOCK)" x=arange:f32[1024] residual=ones:f32[1024] out=empty:f32[1024] n=1024 BLOCK=256
"""The residual has an argument of its own; `out` is only written."""

import triton
import triton.language as tl


@triton.jit
def add_residual(x, residual, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < n
    value = tl.load(x + index, mask=mask, other=0.0)
    added = tl.load(residual + index, mask=mask, other=0.0)
    tl.store(out + index, value + 0.5 * added, mask=mask)
