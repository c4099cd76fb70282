# args: run {file}::read_page --grid 8 --check all "pages=full(3):i32[4]" x=ones:f32[3,16] out=zeros:f32[8,8] PAGE=8
"""The table of pages names page 3, but there are pages 0 to 2."""

import triton
import triton.language as tl


@triton.jit
def read_page(pages, x, out, PAGE: tl.constexpr):
    lane = tl.arange(0, PAGE)
    page = tl.load(pages + tl.program_id(0) // 2).to(tl.int64)
    tl.store(out + tl.program_id(0) * PAGE + lane, tl.load(x + page * PAGE * 2 + tl.program_id(0) % 2 * PAGE + lane))
