# args: run {file}::shift --grid 4 --fail-on warning --check lanes x=rand:f32[64] out=zeros:f32[64] N=64 B=16
"""LS106: a block of neighbours begins before the tensor."""

import triton
import triton.language as tl


@triton.jit
def shift(x, out, N, B: tl.constexpr):
    first = tl.program_id(0) * B
    left = tl.make_block_ptr(x, (N,), (1,), (first - 1,), (B,), (0,))
    here = tl.make_block_ptr(out, (N,), (1,), (first,), (B,), (0,))
    tl.store(here, tl.load(left), boundary_check=(0,))
