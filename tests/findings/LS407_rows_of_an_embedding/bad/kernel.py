# args: run {file}::add_rows --grid 1 --check quick,lanes grad=zeros:f16[32,16] "token=randint(0,32):i32[40]" dy=randn:f16[40,16] n=40 BLOCK=64 D=16
"""The gradient of an embedding: rows of tokens that come twice are added to once."""

import triton
import triton.language as tl


@triton.jit
def add_rows(grad, token, dy, n, BLOCK: tl.constexpr, D: tl.constexpr):
    i = tl.arange(0, BLOCK)
    d = tl.arange(0, D)
    row = tl.load(token + i, mask=i < n, other=0)
    mask = (i < n)[:, None]
    delta = tl.load(dy + i[:, None] * D + d[None, :], mask=mask, other=0.0)
    place = grad + row[:, None] * D + d[None, :]
    tl.store(place, tl.load(place, mask=mask, other=0.0) + delta, mask=mask)
