# args: run {file}::pick --grid 2 --check all x=zeros:i8[2,16,134217728] out=zeros:i8[2,16,16] stride_batch=2147483640 stride_row=134217728 BLOCK=16
"""The first product has 64 bits, and so has the sum."""

import triton
import triton.language as tl


@triton.jit
def pick(x, out, stride_batch, stride_row, BLOCK: tl.constexpr):
    rows = tl.arange(0, BLOCK)
    columns = tl.arange(0, BLOCK)
    offset = tl.program_id(0).to(tl.int64) * stride_batch + rows[:, None] * stride_row + columns[None, :]
    tile = tl.load(x + offset)
    tl.store(out + (tl.program_id(0) * BLOCK + rows[:, None]) * BLOCK + columns[None, :], tile)
