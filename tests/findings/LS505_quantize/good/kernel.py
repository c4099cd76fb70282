# args: run {file}::quantize --grid "cdiv(n, BLOCK)" --check all x=arange:f32[300] q=zeros:i8[300] scale=2.0 n=300 BLOCK=128
"""What is beyond eight bits is clamped to them."""

import triton
import triton.language as tl


@triton.jit
def quantize(x, q, scale, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    value = tl.load(x + index, mask=inside, other=0.0)
    scaled = tl.floor(value / scale + 0.5)
    scaled = tl.clamp(scaled, -128.0, 127.0)
    tl.store(q + index, scaled.to(tl.int8), mask=inside)
