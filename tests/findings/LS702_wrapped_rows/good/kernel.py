# args: run {file}::gather_rows --grid 2 --check all x=arange:f32[24] out=zeros:f32[32] n=24 BLOCK=16
"""Nothing is promised."""

import triton
import triton.language as tl


@triton.jit
def gather_rows(x, out, n, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    index = (tl.program_id(0) * BLOCK + lane) % n
    tl.store(out + tl.program_id(0) * BLOCK + lane, tl.load(x + index))
