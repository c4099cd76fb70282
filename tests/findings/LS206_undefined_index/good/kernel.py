# args: run {file}::lookup --check all --grid "cdiv(n, BLOCK)" ids=arange:i64[100] table=arange:f32[128] out=zeros:f32[100] n=100 BLOCK=128
"""The table is read under the mask of the ids."""

import triton
import triton.language as tl


@triton.jit
def lookup(ids, table, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    id = tl.load(ids + index, mask=index < n)
    value = tl.load(table + id, mask=index < n)
    tl.store(out + index, value, mask=index < n)
