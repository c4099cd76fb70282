# args: run {file}::attend --grid 2 --check all --fail-on warning q=randn:f32[32,16] k=randn:f32[32,16] out=zeros:f32[32,32] scale=0.25 D=16 N=32 BLOCK=16 --expect out=@{folder}/../reference.npy
"""Causal attention weights."""

import triton
import triton.language as tl


@triton.jit
def attend(q, k, out, scale, D: tl.constexpr, N: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    lanes = tl.arange(0, D)
    keys = tl.arange(0, N)
    query = tl.load(q + rows[:, None] * D + lanes[None, :])
    key = tl.load(k + keys[None, :] * D + lanes[:, None])
    score = tl.dot(query, key, input_precision="ieee") * scale
    seen = keys[None, :] <= rows[:, None]
    score = tl.where(seen, score, -1e30)
    weight = tl.exp(score - tl.max(score, axis=1)[:, None])
    tl.store(out + rows[:, None] * N + keys[None, :], weight / tl.sum(weight, axis=1)[:, None])
