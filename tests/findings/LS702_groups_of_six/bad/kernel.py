# args: run {file}::dequantize --grid 1 --check all q=arange:i8[32] scales=ones:f32[6] out=zeros:f32[32] GROUP=6 BLOCK=32
"""Groups have six elements; the hint says that eight in a row share a scale."""

import triton
import triton.language as tl


@triton.jit
def dequantize(q, scales, out, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    group = tl.max_constancy(index // GROUP, 8)
    values = tl.load(q + index).to(tl.float32) * tl.load(scales + group)
    tl.store(out + index, values)
