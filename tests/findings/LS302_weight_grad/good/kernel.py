# args: run {file}::weight_grad --check all --grid 12 x=randn:f32[12,64] dy=randn:f32[12,64] dw=zeros:f32[4,64] GROUPS=4 N=64
"""The additions are atomic."""

import triton
import triton.language as tl


@triton.jit
def weight_grad(x, dy, dw, GROUPS: tl.constexpr, N: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, N)
    part = tl.load(x + row * N + cols) * tl.load(dy + row * N + cols)
    place = dw + (row % GROUPS) * N + cols
    tl.atomic_add(place, part, sem="relaxed")
