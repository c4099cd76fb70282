# args: run {file}::temper --fail-on info --check all --grid "cdiv(n, BLOCK)" logits=arange:f32[1000] out=empty:f32[1000] n=1000 temperature=2.0 BLOCK=256
"""The scaled logits go into a tensor of their own."""

import triton
import triton.language as tl


@triton.jit
def temper(logits, out, n, temperature, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < n
    value = tl.load(logits + index, mask=mask, other=0.0)
    tl.store(out + index, value / temperature, mask=mask)
