"""Kernels of bench/gpu.py that examples/ do not have: attention in the form that is fast on GPUs, products in groups."""

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


@triton.jit
def grouped_matmul(
    a, b, out, tiles, tiles_m, m, n, k, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr, GROUP: tl.constexpr,
):
    """Rows of `a` times the transpose of their problem's n×k matrix in `b`. `tiles`: of each tile of rows, its first row, the
    end of its problem's rows, and the problem. GROUP tiles of rows share the columns that are in the cache."""
    program = tl.program_id(0)
    together = GROUP * tl.cdiv(n, TILE_N)
    first_tile = program // together * GROUP
    rows_of_tiles = min(tiles_m - first_tile, GROUP)
    tile_m = first_tile + program % together % rows_of_tiles
    tile_n = program % together // rows_of_tiles
    first = tl.load(tiles + 3 * tile_m)
    end = tl.load(tiles + 3 * tile_m + 1)
    problem = tl.load(tiles + 3 * tile_m + 2)
    row = first + tl.arange(0, TILE_M)
    column = tile_n * TILE_N + tl.arange(0, TILE_N)
    step = tl.arange(0, TILE_K)
    a_tile = a + row[:, None] * k + step[None, :]
    b_tile = b + (problem * n + column)[None, :] * k + step[:, None]
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for first_k in range(0, k, TILE_K):
        left = tl.load(a_tile, mask=(row[:, None] < m) & (step[None, :] < k - first_k), other=0.0)
        right = tl.load(b_tile, mask=step[:, None] < k - first_k, other=0.0)
        total = tl.dot(left, right, total)
        a_tile += TILE_K
        b_tile += TILE_K
    tl.store(out + row[:, None] * n + column[None, :], total.to(out.dtype.element_ty), mask=(row[:, None] < end) & (column[None, :] < n))


@triton.jit
def matmul_along_k(a, b, out, m, n, k, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr, GROUP: tl.constexpr):
    """`a` (m×k) times the transpose of `b` (n×k), whole tiles only. The sum goes through tl.dot: f8 keeps 13 bits of it."""
    program = tl.program_id(0)
    together = GROUP * (n // TILE_N)
    first_tile = program // together * GROUP
    rows_of_tiles = min(m // TILE_M - first_tile, GROUP)
    row = (first_tile + program % together % rows_of_tiles) * TILE_M + tl.arange(0, TILE_M)
    column = program % together // rows_of_tiles * TILE_N + tl.arange(0, TILE_N)
    step = tl.arange(0, TILE_K)
    a_tile = a + row[:, None] * k + step[None, :]
    b_tile = b + column[None, :] * k + step[:, None]
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for _ in range(0, k, TILE_K):
        total = tl.dot(tl.load(a_tile), tl.load(b_tile), total)
        a_tile += TILE_K
        b_tile += TILE_K
    tl.store(out + row[:, None] * n + column[None, :], total.to(out.dtype.element_ty))
