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
