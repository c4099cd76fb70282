# args: run {file}::scale --fail-on warning --check all --grid "cdiv(n, 128)" x=arange:f32[1024] out=empty:f32[1024] n=1024 STEP=64 BLOCK=128
"""The host counts programs by BLOCK, the kernel steps by half of it: tiles overlap, and the second half is left out."""

import triton
import triton.language as tl


@triton.jit
def scale(x, out, n, STEP: tl.constexpr, BLOCK: tl.constexpr):
    index = tl.program_id(0) * STEP + tl.arange(0, BLOCK)
    mask = index < n
    tl.store(out + index, tl.load(x + index, mask=mask) * 0.5, mask=mask)
