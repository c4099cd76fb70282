# args: run {file}::temper --fail-on info --check all --grid "cdiv(n, BLOCK)" logits=arange:f32[1000] n=1000 temperature=2.0 BLOCK=256
"""The tuner runs the kernel many times over the same logits, and each run divides them once more."""

import triton
import triton.language as tl


@triton.jit
def temper(logits, n, temperature, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < n
    value = tl.load(logits + index, mask=mask, other=0.0)
    tl.store(logits + index, value / temperature, mask=mask)
