# args: run {file}::first_columns --grid 2 --fail-on info --check all,lints x=rand:f32[64,128] out=zeros:f32[64] B=32
"""Each program reads one column of 32 rows: 4 of 32 bytes are used."""

import triton
import triton.language as tl


@triton.jit
def first_columns(x, out, B: tl.constexpr):
    rows = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + rows, tl.load(x + rows * 128))
