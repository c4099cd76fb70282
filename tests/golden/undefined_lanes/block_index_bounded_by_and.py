# args: run {file}::decode --check all --grid 1 codes=randint(0,255):u8[40] table=randn:f32[16] out=empty:f32[40] n=40 BLOCK=64
"""Codes come by a block pointer without padding: lanes outside have none, but its lowest four bits always lie in the table."""

import triton
import triton.language as tl


@triton.jit
def decode(codes, table, out, n, BLOCK: tl.constexpr):
    block = tl.make_block_ptr(codes, (n,), (1,), (0,), (BLOCK,), (0,))
    code = tl.load(block, boundary_check=(0,))
    value = tl.load(table + (code & 0xF))
    i = tl.arange(0, BLOCK)
    tl.store(out + i, value, mask=i < n)
