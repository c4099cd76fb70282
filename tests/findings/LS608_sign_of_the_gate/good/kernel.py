# args: run {file}::gate --grid 4 --check all --fail-on warning x=randn:f32[512] y=randn:f32[512] out=zeros:f32[512] BLOCK=128 --expect out=@{folder}/../reference.npy
"""SwiGLU: y * x * sigmoid(x)."""

import triton
import triton.language as tl


@triton.jit
def gate(x, y, out, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + index)
    opened = value / (1.0 + tl.exp(-value))
    tl.store(out + index, tl.load(y + index) * opened)
