# args: run {file}::first_columns --grid 320 --check all x=zeros:i8[320,7864320] out=zeros:i32[320] stride=7864320 BLOCK=64
"""Row 274 begins beyond 2^31 elements: its offset does not fit the 32 bits that program_id and stride have."""

import triton
import triton.language as tl


@triton.jit
def first_columns(x, out, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    values = tl.load(x + row * stride + columns)
    tl.store(out + row, tl.sum(values.to(tl.int32)))
