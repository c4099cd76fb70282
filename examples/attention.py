"""Causal attention, forward: softmax(q k^T * scale) v with the row maximum and sum kept while keys stream past (f16, f32 sums).

lockstep run examples/attention.py::attention --grid "cdiv(length, TILE_M), heads" q=randn:f16[2,200,64] k=randn:f16[2,200,64] v=randn:f16[2,200,64] out=empty:f16[2,200,64] heads=2 length=200 head_stride=12800 scale=0.125 TILE_M=64 TILE_N=32 DEPTH=64 --print out
"""

import triton
import triton.language as tl

LOG2_E: tl.constexpr = tl.constexpr(1.4426950408889634)


@triton.jit
def attention(
    q, k, v, out, heads, length, head_stride, scale,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr, DEPTH: tl.constexpr,
):
    first_query = tl.program_id(0) * TILE_M
    head = tl.program_id(1).to(tl.int64) * head_stride
    query = first_query + tl.arange(0, TILE_M)
    depth = tl.arange(0, DEPTH)
    queries = tl.load(q + head + query[:, None] * DEPTH + depth[None, :], mask=query[:, None] < length, other=0.0)

    largest = tl.full([TILE_M], float("-inf"), tl.float32)
    weights = tl.zeros([TILE_M], tl.float32)
    total = tl.zeros([TILE_M, DEPTH], tl.float32)
    for first_key in range(0, tl.minimum(first_query + TILE_M, length), TILE_N):
        key = first_key + tl.arange(0, TILE_N)
        inside = key < length
        keys = tl.load(k + head + key[None, :] * DEPTH + depth[:, None], mask=inside[None, :], other=0.0)
        score = tl.dot(queries, keys) * (scale * LOG2_E)
        score = tl.where((query[:, None] >= key[None, :]) & inside[None, :], score, float("-inf"))
        new_largest = tl.maximum(largest, tl.max(score, axis=1))
        weight = tl.exp2(score - new_largest[:, None])
        shrink = tl.exp2(largest - new_largest)
        values = tl.load(v + head + key[:, None] * DEPTH + depth[None, :], mask=inside[:, None], other=0.0)
        weights = weights * shrink + tl.sum(weight, axis=1)
        total = tl.dot(weight.to(tl.float16), values, total * shrink[:, None])
        largest = new_largest
    target = out + head + query[:, None] * DEPTH + depth[None, :]
    tl.store(target, (total / weights[:, None]).to(tl.float16), mask=query[:, None] < length)
