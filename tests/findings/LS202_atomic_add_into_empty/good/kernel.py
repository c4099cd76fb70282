# args: run {file}::row_sums --check all --grid "rows,cdiv(n, BLOCK)" x=ones:f32[8,512] out=zeros:f32[8] rows=8 n=512 BLOCK=128
"""`out` was set to zero before the launch."""

import triton
import triton.language as tl


@triton.jit
def row_sums(x, out, rows, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    part = tl.load(x + row * n + column, mask=column < n, other=0.0)
    tl.atomic_add(out + row, tl.sum(part), sem="relaxed")
