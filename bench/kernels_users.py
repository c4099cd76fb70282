"""Kernels of the rows in rows/users.py: what serving and training code of today launches, as people write it."""

import triton
import triton.language as tl


@triton.jit
def flex_attention(
    q, k, v, document, out, length, scale, TILE_M: tl.constexpr, TILE_N: tl.constexpr, DEPTH: tl.constexpr
):
    """Attention with a changed score (a slope by head and distance) and a mask of documents, both made in the loop."""
    first_query = tl.program_id(0) * TILE_M
    head = tl.program_id(1)
    slope = tl.exp2(-(head + 1).to(tl.float32))
    query = first_query + tl.arange(0, TILE_M)
    depth = tl.arange(0, DEPTH)
    base = head * length * DEPTH
    queries = tl.load(q + base + query[:, None] * DEPTH + depth[None, :])
    document_of_query = tl.load(document + query)
    largest = tl.full([TILE_M], -1e30, tl.float32)
    weights = tl.zeros([TILE_M], tl.float32)
    total = tl.zeros([TILE_M, DEPTH], tl.float32)
    for first_key in range(0, first_query + TILE_M, TILE_N):
        key = first_key + tl.arange(0, TILE_N)
        keys = tl.load(k + base + key[None, :] * DEPTH + depth[:, None])
        score = tl.dot(queries, keys) * scale
        score += slope * (key[None, :] - query[:, None]).to(tl.float32)
        seen = (query[:, None] >= key[None, :]) & (document_of_query[:, None] == tl.load(document + key)[None, :])
        score = tl.where(seen, score * 1.4426950408889634, float("-inf"))
        new_largest = tl.maximum(largest, tl.max(score, axis=1))
        weight = tl.exp2(score - new_largest[:, None])
        shrink = tl.exp2(largest - new_largest)
        values = tl.load(v + base + key[:, None] * DEPTH + depth[None, :])
        weights = weights * shrink + tl.sum(weight, axis=1)
        total = tl.dot(weight.to(tl.float16), values, total * shrink[:, None])
        largest = new_largest
    place = base + query[:, None] * DEPTH + depth[None, :]
    tl.store(out + place, (total / weights[:, None]).to(tl.float16))


@triton.jit
def paged_attention(
    q, keys, values, table, lengths, out, pages, scale,
    GROUP: tl.constexpr, KEY_HEADS: tl.constexpr, PAGE: tl.constexpr, DEPTH: tl.constexpr,
):  # fmt: skip
    """One new token of a sequence: GROUP queries share a head of keys, which lie in pages that a table names."""
    sequence, head = tl.program_id(0), tl.program_id(1)
    member, depth, slot = tl.arange(0, GROUP), tl.arange(0, DEPTH), tl.arange(0, PAGE)
    place = ((sequence * KEY_HEADS + head) * GROUP + member[:, None]) * DEPTH + depth[None, :]
    queries = tl.load(q + place).to(tl.float32) * scale
    length = tl.load(lengths + sequence)
    largest = tl.full([GROUP], float("-inf"), tl.float32)
    weights = tl.zeros([GROUP], tl.float32)
    total = tl.zeros([GROUP, DEPTH], tl.float32)
    for page in range(0, tl.cdiv(length, PAGE)):
        number = tl.load(table + sequence * pages + page).to(tl.int64)
        at = ((number * PAGE + slot[:, None]) * KEY_HEADS + head) * DEPTH + depth[None, :]
        key = tl.load(keys + at).to(tl.float32)
        score = tl.sum(queries[:, None, :] * key[None, :, :], axis=2)
        score = tl.where(page * PAGE + slot[None, :] < length, score, float("-inf"))
        new_largest = tl.maximum(largest, tl.max(score, axis=1))
        weight = tl.exp2(score - new_largest[:, None])
        shrink = tl.exp2(largest - new_largest)
        value = tl.load(values + at).to(tl.float32)
        weights = weights * shrink + tl.sum(weight, axis=1)
        total = total * shrink[:, None] + tl.sum(weight[:, :, None] * value[None, :, :], axis=1)
        largest = new_largest
    tl.store(out + place, (total / weights[:, None]).to(tl.float16))


@triton.jit
def route(logits, experts, shares, EXPERTS: tl.constexpr, BLOCK: tl.constexpr):
    """The two experts of a token and their shares, which add up to 1."""
    token = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    expert = tl.arange(0, EXPERTS)
    score = tl.load(logits + token[:, None] * EXPERTS + expert[None, :])
    first_score, first = tl.max(score, axis=1, return_indices=True)
    others = tl.where(expert[None, :] == first[:, None], float("-inf"), score)
    second_score, second = tl.max(others, axis=1, return_indices=True)
    share = 1 / (1 + tl.exp(second_score - first_score))
    tl.store(experts + 2 * token, first)
    tl.store(experts + 2 * token + 1, second)
    tl.store(shares + 2 * token, share)
    tl.store(shares + 2 * token + 1, 1 - share)


@triton.jit
def grouped_matmul(
    x, weights, out, order, shares, expert_of_tile, count,
    N: tl.constexpr, K: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr,
):  # fmt: skip
    """Rows of x, ordered by expert and padded to whole tiles, times their expert's matrix, times their share."""
    expert = tl.load(expert_of_tile + tl.program_id(0)).to(tl.int64)
    place = tl.load(order + tl.program_id(0) * TILE_M + tl.arange(0, TILE_M))  # of a token and choice; count: none
    inside = place < count
    column = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    step = tl.arange(0, TILE_K)
    left_at = x + (place // 2)[:, None] * K + step[None, :]
    right_at = weights + expert * K * N + step[:, None] * N + column[None, :]
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for _ in range(0, K, TILE_K):
        left = tl.load(left_at, mask=inside[:, None], other=0.0)
        total = tl.dot(left, tl.load(right_at), total)
        left_at += TILE_K
        right_at += TILE_K * N
    total *= tl.load(shares + place, mask=inside, other=0.0)[:, None]
    tl.store(out + place[:, None] * N + column[None, :], total.to(tl.bfloat16), mask=inside[:, None])


@triton.jit
def top_k(x, out, COUNT: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    value = tl.load(x + row * BLOCK + tl.arange(0, BLOCK))
    tl.store(out + row * COUNT + tl.arange(0, COUNT), tl.topk(value, COUNT))


@triton.jit
def int4_matmul(
    x, packed, scales, zeros, out, N: tl.constexpr, K: tl.constexpr, GROUP: tl.constexpr,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr,
):  # fmt: skip
    """x times weights of 4 bits, two in a byte along K; a scale and a zero for each group of K and column."""
    row = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    column = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    pair = tl.arange(0, GROUP // 2)
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for group in range(0, K // GROUP):
        byte = tl.load(packed + (group * (GROUP // 2) + pair[:, None]) * N + column[None, :])
        scale = tl.load(scales + group * N + column)[None, :]
        zero = tl.load(zeros + group * N + column)[None, :]
        left_at = x + row[:, None] * K + group * GROUP + 2 * pair[None, :]
        for half in tl.static_range(2):
            number = ((byte >> (4 * half)) & 15).to(tl.float32) - 8
            weight = (number * scale + zero).to(tl.bfloat16)
            total = tl.dot(tl.load(left_at + half), weight, total)
    tl.store(out + row[:, None] * N + column[None, :], total.to(tl.bfloat16))


@triton.jit
def f8_matmul(
    a, b, a_scale, b_scale, out, N: tl.constexpr, K: tl.constexpr,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr,
):  # fmt: skip
    """a times b transposed, both f8 (e4m3), with a scale for each row of a and of b."""
    row = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    column = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    step = tl.arange(0, TILE_K)
    left_at, right_at = a + row[:, None] * K + step[None, :], b + column[None, :] * K + step[:, None]
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for _ in range(0, K, TILE_K):
        total = tl.dot(tl.load(left_at), tl.load(right_at), total)
        left_at += TILE_K
        right_at += TILE_K
    total *= tl.load(a_scale + row)[:, None] * tl.load(b_scale + column)[None, :]
    tl.store(out + row[:, None] * N + column[None, :], total.to(tl.bfloat16))


@triton.jit
def cumsum_look_back(x, out, sums, flags, n, BLOCK: tl.constexpr):
    """One pass: a program waits for the sum of all programs before it and passes its own on."""
    program = tl.program_id(0)
    index = program * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    value = tl.load(x + index, mask=inside, other=0.0)
    before = 0.0
    if program > 0:
        while tl.atomic_add(flags + program - 1, 0, sem="acquire") == 0:
            pass
        before = tl.load(sums + program - 1, volatile=True)
    tl.store(sums + program, before + tl.sum(value, axis=0))
    tl.debug_barrier()
    tl.atomic_xchg(flags + program, 1, sem="release")
    tl.store(out + index, before + tl.cumsum(value, axis=0), mask=inside)
