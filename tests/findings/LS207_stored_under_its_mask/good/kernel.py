# args: run {file}::scale --check all --grid "cdiv(n, BLOCK)" x=arange:f32[1000] w=arange:f32[1000] out=empty:f32[1000] n=1000 BLOCK=128
"""Masked lanes without a value are computed with and never stored: as most kernels do it."""

import triton
import triton.language as tl


@triton.jit
def scale(x, w, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < n
    value = tl.load(x + index, mask=mask)
    weight = tl.load(w + index, mask=mask)
    tl.store(out + index, tl.exp(value * 0.001) * weight, mask=mask)
