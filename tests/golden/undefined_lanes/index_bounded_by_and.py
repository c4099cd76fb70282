# args: run {file}::decode --check all --grid 1 codes=randint(0,255):u8[40] table=randn:f32[16] out=empty:f32[40] n=40 BLOCK=64
"""As in dequantisation: lanes 40..63 have no code, but its lowest four bits always lie in the table, and nothing of it is stored."""

import triton
import triton.language as tl


@triton.jit
def decode(codes, table, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    code = tl.load(codes + i, mask=i < n)
    value = tl.load(table + (code & 0xF))
    tl.store(out + i, value, mask=i < n)
