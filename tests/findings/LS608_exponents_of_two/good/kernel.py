# args: run {file}::soften --grid 8 --check all --fail-on warning x=randn:f32[8,50] out=zeros:f32[8,50] n=50 temperature=0.5 BLOCK=64 --expect out=@{folder}/../reference.npy
"""Softmax by powers of two, which are cheaper."""

import triton
import triton.language as tl


@triton.jit
def soften(x, out, n, temperature, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    inside = columns < n
    score = tl.load(x + row * n + columns, mask=inside, other=float("-inf")) / temperature
    top = tl.max(score, axis=0)
    weight = tl.exp2((score - top) * 1.4426950408889634)
    tl.store(out + row * n + columns, weight / tl.sum(weight, axis=0), mask=inside)
