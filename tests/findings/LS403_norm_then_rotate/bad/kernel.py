# args: run {file}::norm_and_rotate --grid 4 --fail-on warning --check all x=randn:f32[512] out=zeros:f32[512] D=128 ROTATED=64
"""The norm is stored for the whole row, the rotated part again by other lanes: which store comes last is open."""

import triton
import triton.language as tl


@triton.jit
def norm_and_rotate(x, out, D: tl.constexpr, ROTATED: tl.constexpr):
    row = tl.program_id(0) * D
    i = tl.arange(0, D)
    v = tl.load(x + row + i)
    scale = tl.rsqrt(tl.sum(v * v) / D + 1e-6)
    tl.store(out + row + i, v * scale)
    half = tl.arange(0, ROTATED // 2)
    a = tl.load(x + row + half) * scale
    b = tl.load(x + row + ROTATED // 2 + half) * scale
    tl.store(out + row + half, a * 0.8 - b * 0.6)
    tl.store(out + row + ROTATED // 2 + half, b * 0.8 + a * 0.6)
