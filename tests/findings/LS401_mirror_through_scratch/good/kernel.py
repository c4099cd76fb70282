# args: run {file}::mirror --grid 4 --fail-on warning --check all x=arange:f32[512] scratch=zeros:f32[512] out=zeros:f32[512] BLOCK=128
"""All lanes have stored before one reads."""

import triton
import triton.language as tl


@triton.jit
def mirror(x, scratch, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    row = tl.program_id(0) * BLOCK
    tl.store(scratch + row + i, tl.load(x + row + i) * 2)
    tl.debug_barrier()
    mirrored = tl.load(scratch + row + BLOCK - 1 - i)
    tl.store(out + row + i, mirrored)
