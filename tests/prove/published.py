"""The addresses of published overflows, in small kernels of our own: offsets of 32 bits that wrap at large sizes.

Each has the form of what was reported; what it computes is another thing."""

import triton
import triton.language as tl


@triton.jit
def chunk_scores(k, beta, A, T, H: tl.constexpr, K: tl.constexpr, BT: tl.constexpr, BK: tl.constexpr):
    """fla#1080: the start of a sequence and head is a product of 32 bits."""
    i_t, i_bh = tl.program_id(0), tl.program_id(1)
    i_b, i_h = i_bh // H, i_bh % H
    start = i_b * T
    rows = i_t * BT + tl.arange(0, BT)
    wide = rows.to(tl.int64)
    on = rows < T
    scale = tl.load(beta + start * H + i_h + wide * H, on, other=0.0)
    scores = tl.zeros((BT, BT), tl.float32)
    for i_k in range(tl.cdiv(K, BK)):
        cols = i_k * BK + tl.arange(0, BK)
        place = k + (start * H + i_h) * K + wide[:, None] * (H * K) + cols[None, :]
        x = tl.load(place, on[:, None] & (cols < K)[None, :], other=0.0)
        scores += tl.dot(x, tl.trans(x))
    out = A + (start * H + i_h) * BT + wide[:, None] * (BT * H) + tl.arange(0, BT)[None, :]
    tl.store(out, scores * scale[:, None], on[:, None])


@triton.jit
def chunk_scores_of_lengths(k, beta, A, starts, chunks, H: tl.constexpr, K: tl.constexpr, BT: tl.constexpr, BK: tl.constexpr):
    """fla#1080 with sequences of different lengths: where the last one starts is a factor."""
    i_h = tl.program_id(1)
    sequence, chunk = tl.load(chunks + tl.program_id(0) * 2), tl.load(chunks + tl.program_id(0) * 2 + 1)
    start = tl.load(starts + sequence).to(tl.int32)
    rows = chunk * BT + tl.arange(0, BT)
    on = rows < tl.load(starts + sequence + 1).to(tl.int32) - start
    scale = tl.load(beta + start * H + i_h + rows * H, on, other=0.0)
    scores = tl.zeros((BT, BT), tl.float32)
    for i_k in range(tl.cdiv(K, BK)):
        cols = i_k * BK + tl.arange(0, BK)
        place = k + (start * H + i_h) * K + rows[:, None] * (H * K) + cols[None, :]
        x = tl.load(place, on[:, None] & (cols < K)[None, :], other=0.0)
        scores += tl.dot(x, tl.trans(x))
    out = A + (start * H + i_h) * BT + rows[:, None] * (BT * H) + tl.arange(0, BT)[None, :]
    tl.store(out, scores * scale[:, None], on[:, None])


@triton.jit
def chunk_rows(k, out, T, H: tl.constexpr, K: tl.constexpr, BT: tl.constexpr, BK: tl.constexpr):
    """fla#1173: the rows of a chunk are 32 bits, their product with a row's length, too."""
    head = tl.program_id(0).to(tl.int64)
    for i_t in range(tl.cdiv(T, BT)):
        rows = i_t * BT + tl.arange(0, BT)
        cols = tl.arange(0, BK)
        on = (rows < T)[:, None] & (cols < K)[None, :]
        place = rows[:, None] * H * K + cols[None, :]
        tl.store(out + head * K + place, tl.load(k + head * K + place, on, other=0.0), on)


@triton.jit
def batched(a, c, M, K, a_batch, a_row, c_batch, c_row, BM: tl.constexpr, BK: tl.constexpr):
    """dion#102: batch times its stride."""
    batch = tl.program_id(1)
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.arange(0, BK)
    on = (rows < M)[:, None] & (cols < K)[None, :]
    x = tl.load(a + batch * a_batch + rows[:, None] * a_row + cols[None, :], on, other=0.0)
    tl.store(c + batch * c_batch + rows[:, None] * c_row + cols[None, :], x, on)


@triton.jit
def copy_rows(a, b, indices, columns, BLOCK: tl.constexpr):
    """megablocks#185, FlagGems#4156: a loaded row times a row's length."""
    row = tl.load(indices + tl.program_id(0))
    for start in range(0, columns, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(a + row * columns + cols, cols < columns)
        tl.store(b + tl.program_id(0).to(tl.int64) * columns + cols, x, cols < columns)


@triton.jit
def expert_tiles(a, c, tokens, n_cols, stride_am, stride_cm, BM: tl.constexpr, BN: tl.constexpr):
    """sglang#4727, vllm#34279: rows of a tile times the stride of the output."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    on = (rows < tokens)[:, None] & (cols < n_cols)[None, :]
    x = tl.load(a + rows[:, None] * stride_am + cols[None, :], on, other=0.0)
    tl.store(c + rows[:, None] * stride_cm + cols[None, :], x, on)


@triton.jit
def expert_tiles_wide(a, c, tokens, n_cols, stride_am, stride_cm, BM: tl.constexpr, BN: tl.constexpr):
    """The repair of it: rows have 64 bits."""
    rows = tl.program_id(0).to(tl.int64) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    on = (rows < tokens)[:, None] & (cols < n_cols)[None, :]
    x = tl.load(a + rows[:, None] * stride_am + cols[None, :], on, other=0.0)
    tl.store(c + rows[:, None] * stride_cm + cols[None, :], x, on)


@triton.jit
def block_queries(q, out, T, NB, S: tl.constexpr, HQ: tl.constexpr, K: tl.constexpr):
    """fla#769: batches, blocks, heads and columns in one product of 32 bits."""
    i_t, i_bh = tl.program_id(0), tl.program_id(1)
    i_b, i_h = i_bh // HQ, i_bh % HQ
    cols = tl.arange(0, K)
    x = tl.load(q + (i_b.to(tl.int64) * T + i_t) * HQ * K + i_h * K + cols)
    tl.store(out + ((i_b * T * NB + i_t // S) * HQ + i_h) * K + cols, x)


@triton.jit
def sparse_forward(q, o, T, HQ: tl.constexpr, K: tl.constexpr):
    """fla#964, forward: a row of all batches times what a row has."""
    row = tl.program_id(1) * T + tl.program_id(0)
    cols = tl.arange(0, K)
    for head in range(HQ):
        at = row * HQ * K + head * K + cols
        tl.store(o + at, tl.load(q + at))


@triton.jit
def sparse_backward(q, dq, B, T, HQ: tl.constexpr, K: tl.constexpr):
    """fla#964, backward: parts of a gradient lie behind one another."""
    i_t, i_v, i_b = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    cols = tl.arange(0, K)
    row = i_b * T + i_t
    x = tl.load(q + row.to(tl.int64) * (HQ * K) + cols)
    tl.store(dq + (i_v * B * T + row) * (HQ * K) + cols, x)


@triton.jit
def expert_weights(w, experts, out, stride_w_E, N, BLOCK: tl.constexpr):
    """liger#1246: the number of an expert times its stride."""
    expert = tl.load(experts + tl.program_id(0))
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(w + expert * stride_w_E + cols, cols < N, other=0.0)
    tl.store(out + tl.program_id(0).to(tl.int64) * N + cols, x, cols < N)


@triton.jit
def expert_weights_wide(w, experts, out, stride_w_E, N, BLOCK: tl.constexpr):
    """The repair of it."""
    expert = tl.load(experts + tl.program_id(0)).to(tl.int64)
    cols = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(w + expert * stride_w_E + cols, cols < N, other=0.0)
    tl.store(out + tl.program_id(0).to(tl.int64) * N + cols, x, cols < N)


@triton.jit
def steps_of_chunks(dt, out, L, stride_batch, BLOCK: tl.constexpr):
    """mamba#988: chunks are 64 bits, batches are not."""
    chunk, batch = tl.program_id(0).to(tl.int64), tl.program_id(1)
    rows = chunk * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(dt + batch * stride_batch + rows, rows < L, other=0.0)
    tl.store(out + batch.to(tl.int64) * L + rows, x, rows < L)


@triton.jit
def scatter_rows(a, b, index_b, columns, BLOCK: tl.constexpr):
    """megablocks#185, the other index: where a row is stored."""
    row = tl.load(index_b + tl.program_id(0))
    for start in range(0, columns, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(a + tl.program_id(0).to(tl.int64) * columns + cols, cols < columns)
        tl.store(b + row * columns + cols, x, cols < columns)
