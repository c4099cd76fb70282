"""Kernels whose tiles are larger than their data."""

import triton
import triton.language as tl


@triton.jit
def softmax(x, out, rows, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < columns
    v = tl.load(x + row * stride + cols, mask=mask, other=0.0)
    v = v - tl.max(v, axis=0)
    e = tl.exp(v)
    tl.store(out + row * stride + cols, e / tl.sum(e, axis=0), mask=mask)


@triton.jit
def variance(x, out, columns, stride, BLOCK: tl.constexpr):
    """`d` of the lanes that are off holds -mean; `kept` does not."""
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < columns
    v = tl.load(x + row * stride + cols, mask=mask, other=0.0)
    mean = tl.sum(v, axis=0) / columns
    d = v - mean
    kept = tl.where(mask, d, 0.0)
    both = tl.sum(d * d, axis=0) - tl.sum(kept * kept, axis=0)
    tl.store(out + row, both)


@triton.jit
def row_sums(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Padding that loops carry and shape ops move: rows that are all padding stay so in their sums."""
    r = tl.arange(0, ROWS)
    total = tl.zeros((ROWS,), dtype=tl.float32)
    for first in range(0, columns, COLUMNS):
        c = first + tl.arange(0, COLUMNS)
        tile = tl.load(x + r[:, None] * columns + c[None, :], mask=(r[:, None] < rows) & (c[None, :] < columns))
        turned = tl.trans(tile) * 2.0
        total += tl.sum(turned, axis=0)
    tl.store(out + r, total, mask=r < rows)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """The masks forget k: the last tile of a runs over the rows' ends, that of b leaves b."""
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a_ptr = a + rm[:, None] * K + rk[None, :]
    b_ptr = b + rk[:, None] * N + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        ka = tl.load(a_ptr, mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        kb = tl.load(b_ptr, mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(ka, kb, input_precision="ieee")
        a_ptr += BK
        b_ptr += BK * N
    tl.store(c + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))
