# args: run {file}::attend --grid 4 --check all --fail-on warning q=randn:f32[4,16] k=randn:f32[40,16] v=randn:f32[40,16] out=zeros:f32[4,16] keys=40 scale=0.25 D=16 BLOCK=16 --expect out=@{folder}/../reference.npy
"""Attention over blocks of keys. What was summed up is rescaled where a block has a larger score."""

import triton
import triton.language as tl


@triton.jit
def attend(q, k, v, out, keys, scale, D: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, D)
    query = tl.load(q + row * D + lanes)
    top = float("-inf")
    total = 0.0
    acc = tl.zeros([D], tl.float32)
    for start in range(0, keys, BLOCK):
        rows = start + tl.arange(0, BLOCK)
        key = tl.load(k + rows[:, None] * D + lanes[None, :], mask=rows[:, None] < keys, other=0.0)
        score = tl.sum(key * query[None, :], axis=1) * scale
        score = tl.where(rows < keys, score, float("-inf"))
        now = tl.maximum(top, tl.max(score, axis=0))
        p = tl.exp(score - now)
        alpha = tl.exp(top - now)
        value = tl.load(v + rows[:, None] * D + lanes[None, :], mask=rows[:, None] < keys, other=0.0)
        total = total * alpha + tl.sum(p, axis=0)
        acc = acc * alpha + tl.sum(p[:, None] * value, axis=0)
        top = now
    tl.store(out + row * D + lanes, acc / total)
