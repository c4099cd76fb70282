# args: run {file}::dequantize --grid 1 --check all q=arange:i8[32] scales=ones:f32[6] out=zeros:f32[32] GROUP=6 BLOCK=32
"""Nothing is promised."""

import triton
import triton.language as tl


@triton.jit
def dequantize(q, scales, out, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    group = index // GROUP
    values = tl.load(q + index).to(tl.float32) * tl.load(scales + group)
    tl.store(out + index, values)
