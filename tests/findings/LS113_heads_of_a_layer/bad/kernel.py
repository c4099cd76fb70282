# args: run {file}::gather --grid 4,3 --check all,-tiles --fail-on warning x=randn:f32[5,3,24] y=zeros:f32[4,3,32] H=3 D=24 BLOCK=32
"""A head has 24 numbers, the tile takes 32: 8 are the next head's."""

import triton
import triton.language as tl


@triton.jit
def gather(x, y, H, D, BLOCK: tl.constexpr):
    head = (tl.program_id(0) * H + tl.program_id(1))
    i = tl.arange(0, BLOCK)
    value = tl.load(x + head * D + i)
    tl.store(y + head * BLOCK + i, value)
