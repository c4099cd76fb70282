# args: run {file}::sum_layers --grid 1 --check all x=zeros:i8[4,1000000000] out=zeros:i32[32] stride=1000000000 layers=4 BLOCK=32
"""The third layer begins at 3000000000, in the loop's 32 bits."""

import triton
import triton.language as tl


@triton.jit
def sum_layers(x, out, stride, layers, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], tl.int32)
    for layer in range(layers):
        total += tl.load(x + layer * stride + lane)
    tl.store(out + lane, total)
