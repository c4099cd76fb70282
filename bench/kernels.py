"""The kernels that bench/compare.py measures: one for each kind of work in the table of bench/README.md."""

import triton
import triton.language as tl


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    tl.store(out + index, tl.load(x + index, mask=inside) + tl.load(y + index, mask=inside), mask=inside)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    start = tl.program_id(0) * columns
    column = tl.arange(0, BLOCK)
    inside = column < columns
    value = tl.load(x + start + column, mask=inside, other=float("-inf"))
    power = tl.exp(value - tl.max(value, axis=0))
    tl.store(out + start + column, power / tl.sum(power, axis=0), mask=inside)


@triton.jit
def layer_norm(x, weight, bias, out, columns, eps, BLOCK: tl.constexpr):
    start = tl.program_id(0) * columns
    column = tl.arange(0, BLOCK)
    inside = column < columns
    value = tl.load(x + start + column, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(value, axis=0) / columns
    distance = tl.where(inside, value - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(distance * distance, axis=0) / columns + eps)
    factor = tl.load(weight + column, mask=inside)
    shift = tl.load(bias + column, mask=inside)
    tl.store(out + start + column, distance * scale * factor + shift, mask=inside)


@triton.jit
def matmul(
    a, b, out, m, n, k, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr, PRECISION: tl.constexpr
):
    tiles_n = tl.cdiv(n, TILE_N)
    row = (tl.program_id(0) // tiles_n) * TILE_M + tl.arange(0, TILE_M)
    column = (tl.program_id(0) % tiles_n) * TILE_N + tl.arange(0, TILE_N)
    step = tl.arange(0, TILE_K)
    a_tile = a + row[:, None] * k + step[None, :]
    b_tile = b + step[:, None] * n + column[None, :]
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for first in range(0, k, TILE_K):
        left = tl.load(a_tile, mask=(row[:, None] < m) & (step[None, :] < k - first), other=0.0)
        right = tl.load(b_tile, mask=(step[:, None] < k - first) & (column[None, :] < n), other=0.0)
        total = tl.dot(left, right, total, input_precision=PRECISION)
        a_tile += TILE_K
        b_tile += TILE_K * n
    target = out + row[:, None] * n + column[None, :]
    tl.store(target, total.to(out.dtype.element_ty), mask=(row[:, None] < m) & (column[None, :] < n))


@triton.jit
def attention(q, k, v, out, length, scale, TILE_M: tl.constexpr, TILE_N: tl.constexpr, DEPTH: tl.constexpr):
    first_query = tl.program_id(0) * TILE_M
    head = tl.program_id(1) * length * DEPTH
    query = first_query + tl.arange(0, TILE_M)
    depth = tl.arange(0, DEPTH)
    place = head + query[:, None] * DEPTH + depth[None, :]
    queries = tl.load(q + place)
    largest = tl.full([TILE_M], float("-inf"), tl.float32)
    weights = tl.zeros([TILE_M], tl.float32)
    total = tl.zeros([TILE_M, DEPTH], tl.float32)
    for first_key in range(0, first_query + TILE_M, TILE_N):
        key = first_key + tl.arange(0, TILE_N)
        keys = tl.load(k + head + key[None, :] * DEPTH + depth[:, None])
        score = tl.dot(queries, keys) * scale
        score = tl.where(query[:, None] >= key[None, :], score, float("-inf"))
        new_largest = tl.maximum(largest, tl.max(score, axis=1))
        weight = tl.exp2(score - new_largest[:, None])
        shrink = tl.exp2(largest - new_largest)
        values = tl.load(v + head + key[:, None] * DEPTH + depth[None, :])
        weights = weights * shrink + tl.sum(weight, axis=1)
        total = tl.dot(weight.to(tl.float16), values, total * shrink[:, None])
        largest = new_largest
    tl.store(out + place, (total / weights[:, None]).to(tl.float16))
