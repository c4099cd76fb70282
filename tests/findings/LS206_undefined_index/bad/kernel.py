# args: run {file}::lookup --check all --grid "cdiv(n, BLOCK)" ids=arange:i64[100] table=arange:f32[128] out=zeros:f32[128] n=100 BLOCK=128
"""The ids of the tail are masked off and have no value, but the table is read at all of them."""

import triton
import triton.language as tl


@triton.jit
def lookup(ids, table, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    id = tl.load(ids + index, mask=index < n)
    value = tl.load(table + id)
    tl.store(out + index, value, mask=index < n)
