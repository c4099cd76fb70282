# args: run {file}::scores --grid 2,2 --check all --fail-on warning q=randn:f32[32,16] k=randn:f32[32,16] out=zeros:f32[32,32] D=16 N=32 BLOCK=16 --expect out=@{folder}/../reference.npy
"""Scores of queries and keys."""

import triton
import triton.language as tl


@triton.jit
def scores(q, k, out, D: tl.constexpr, N: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keys = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    lanes = tl.arange(0, D)
    query = tl.load(q + rows[:, None] * D + lanes[None, :])
    key = tl.load(k + keys[:, None] * D + lanes[None, :])
    tl.store(out + rows[:, None] * N + keys[None, :], tl.dot(query, tl.trans(key), input_precision="ieee"))
