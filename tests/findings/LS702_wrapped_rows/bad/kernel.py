# args: run {file}::gather_rows --grid 2 --check all x=arange:f32[24] out=zeros:f32[32] n=24 BLOCK=16
"""The remainder begins anew in the middle of the second block, which is promised to be one run."""

import triton
import triton.language as tl


@triton.jit
def gather_rows(x, out, n, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    index = (tl.program_id(0) * BLOCK + lane) % n
    index = tl.max_contiguous(index, BLOCK)
    tl.store(out + tl.program_id(0) * BLOCK + lane, tl.load(x + index))
