# args: run {file}::paged_copy --check all --grid "blocks + 1" pages=arange:i32[4] cache=arange:f32[8,32] out=zeros:f32[4,32] blocks=4 SIZE=32
"""A program without a page ends."""

import triton
import triton.language as tl


@triton.jit
def paged_copy(pages, cache, out, blocks, SIZE: tl.constexpr):
    block = tl.program_id(0)
    if block >= blocks:
        return
    page = tl.load(pages + block)
    lane = tl.arange(0, SIZE)
    tl.store(out + block * SIZE + lane, tl.load(cache + page * SIZE + lane))
