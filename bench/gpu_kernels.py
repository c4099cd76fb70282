"""Kernels of bench/gpu.py that examples/ do not have: attention in the form that is fast on GPUs."""

import triton
import triton.language as tl


@triton.jit
def step(queries, keys_at, values_at, largest, weights, total, query, key, scale, DEPTH: tl.constexpr, MASKED: tl.constexpr):
    """One tile of keys; MASKED: only those up to each query's own place."""
    keys = tl.load(keys_at)
    score = tl.dot(queries, keys)
    if MASKED:
        score = tl.where(query[:, None] >= key[None, :], score, float("-inf"))
    new_largest = tl.maximum(largest, tl.max(score, axis=1) * scale)
    weight = tl.exp2(score * scale - new_largest[:, None])
    shrink = tl.exp2(largest - new_largest)
    weights = weights * shrink + tl.sum(weight, axis=1)
    values = tl.load(values_at)
    total = tl.dot(weight.to(values.dtype), values, total * shrink[:, None])
    return new_largest, weights, total


@triton.jit
def attention(
    q, k, v, out, length, head_stride, scale,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr, DEPTH: tl.constexpr, CAUSAL: tl.constexpr,
):
    """softmax(q k^T * scale) v, whole tiles only; `scale` includes log2(e). The tiles on the diagonal come last."""
    first_query = tl.program_id(0) * TILE_M
    head = tl.program_id(1).to(tl.int64) * head_stride
    query = first_query + tl.arange(0, TILE_M)
    depth = tl.arange(0, DEPTH)
    step_key = tl.arange(0, TILE_N)
    queries = tl.load(q + head + query[:, None] * DEPTH + depth[None, :])
    keys_at = k + head + step_key[None, :] * DEPTH + depth[:, None]
    values_at = v + head + step_key[:, None] * DEPTH + depth[None, :]
    largest = tl.full([TILE_M], float("-inf"), tl.float32)
    weights = tl.zeros([TILE_M], tl.float32)
    total = tl.zeros([TILE_M, DEPTH], tl.float32)
    whole = first_query if CAUSAL else length
    for first_key in range(0, whole, TILE_N):
        at = first_key * DEPTH
        largest, weights, total = step(queries, keys_at + at, values_at + at, largest, weights, total, query,
                                       first_key + step_key, scale, DEPTH, False)
    if CAUSAL:
        for first_key in range(first_query, first_query + TILE_M, TILE_N):
            at = first_key * DEPTH
            largest, weights, total = step(queries, keys_at + at, values_at + at, largest, weights, total, query,
                                           first_key + step_key, scale, DEPTH, True)
    tl.store(out + head + query[:, None] * DEPTH + depth[None, :], (total / weights[:, None]).to(q.dtype.element_ty))
