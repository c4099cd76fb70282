# args: run {file}::square_norms --grid 4 --check all "x=full(300):f16[4,24]" norms=zeros:f32[4] width=24 BLOCK=32
"""Squares and their sum have 32 bits, and so has the output."""

import triton
import triton.language as tl


@triton.jit
def square_norms(x, norms, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    values = tl.load(x + row * width + columns, mask=columns < width, other=0.0)
    tl.store(norms + row, tl.sum(values.to(tl.float32) * values))
