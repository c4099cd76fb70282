# args: run {file}::add_residual --check all --grid "cdiv(n, BLOCK)" x=arange:f32[1024] out=empty:f32[1024] n=1024 BLOCK=256
"""The residual is added to what `out` holds, but `out` comes from torch.empty: x should have been the second operand."""

import triton
import triton.language as tl


@triton.jit
def add_residual(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < n
    value = tl.load(x + index, mask=mask, other=0.0)
    residual = tl.load(out + index, mask=mask, other=0.0)
    tl.store(out + index, value + 0.5 * residual, mask=mask)
