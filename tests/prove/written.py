"""Kernels of which an output is written everywhere: each right one has a twin that leaves a part out."""

import triton
import triton.language as tl


@triton.jit
def add(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs, offs < n), offs < n)


@triton.jit
def add_without_last(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs, offs < n), offs < n - 1)


@triton.jit
def add_with_holes(x, out, n, BLOCK: tl.constexpr):
    offs = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)) * 2
    tl.store(out + offs, tl.load(x + offs, offs < n), offs < n)


@triton.jit
def block(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    on = (r[:, None] < M) & (c[None, :] < N)
    at = r[:, None] * N + c[None, :]
    tl.store(out + at, tl.load(x + at, on), on)


@triton.jit
def block_on_diagonal(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """One axis of the grid for both dimensions."""
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(0) * BN + tl.arange(0, BN)
    on = (r[:, None] < M) & (c[None, :] < N)
    at = r[:, None] * N + c[None, :]
    tl.store(out + at, tl.load(x + at, on), on)


@triton.jit
def rows(x, out, M, N, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    for start in range(0, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * stride + cols, cols < N)
        tl.store(out + row * stride + cols, value, cols < N)


@triton.jit
def rows_from_second(x, out, M, N, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    for start in range(BLOCK, N, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * stride + cols, cols < N)
        tl.store(out + row * stride + cols, value, cols < N)


@triton.jit
def whole_row(x, out, M, N, BLOCK: tl.constexpr):
    """Holds for rows that one block has room for."""
    cols = tl.arange(0, BLOCK)
    row = tl.program_id(0).to(tl.int64) * N
    tl.store(out + row + cols, tl.load(x + row + cols, cols < N), cols < N)


@triton.jit
def early(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid * BLOCK >= n:
        return
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs, offs < n), offs < n)


@triton.jit
def early_too_early(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid * BLOCK + BLOCK > n:
        return
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs, offs < n), offs < n)


@triton.jit
def either_mask(x, out, n, BLOCK: tl.constexpr):
    """A mask that is a disjunction, of which the first half alone is too little."""
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    on = ((offs < n // 2) | ((offs >= n // 2) & (offs >= 0))) & (offs < n)
    tl.store(out + offs, tl.load(x + offs, on), on)


@triton.jit
def half_mask(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    on = ((offs < n // 2) | ((offs > n // 2) & (offs >= 0))) & (offs < n)
    tl.store(out + offs, tl.load(x + offs, on), on)


@triton.jit
def grouped(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """Both dimensions of the grid in one number."""
    tiles = tl.cdiv(N, BN)
    r = (tl.program_id(0) // tiles) * BM + tl.arange(0, BM)
    c = (tl.program_id(0) % tiles) * BN + tl.arange(0, BN)
    on = (r[:, None] < M) & (c[None, :] < N)
    at = r.to(tl.int64)[:, None] * N + c[None, :]
    tl.store(out + at, tl.load(x + at, on), on)


@triton.jit
def grouped_by_rows(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """The rows' tiles where the columns' are meant."""
    tiles = tl.cdiv(M, BM)
    r = (tl.program_id(0) // tiles) * BM + tl.arange(0, BM)
    c = (tl.program_id(0) % tiles) * BN + tl.arange(0, BN)
    on = (r[:, None] < M) & (c[None, :] < N)
    at = r.to(tl.int64)[:, None] * N + c[None, :]
    tl.store(out + at, tl.load(x + at, on), on)


@triton.jit
def persistent(x, out, n, BLOCK: tl.constexpr):
    """Each program takes every so many-th block."""
    for tile in range(tl.program_id(0), tl.cdiv(n, BLOCK), tl.num_programs(0)):
        offs = tile * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + offs, tl.load(x + offs, offs < n), offs < n)


@triton.jit
def where_data_says(x, index, out, n):
    at = tl.load(index + tl.program_id(0))
    tl.store(out + at, tl.load(x + tl.program_id(0)))


@triton.jit
def added(x, out, n, BLOCK: tl.constexpr):
    """An output that atomics add to: no store covers it."""
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out + offs, tl.load(x + offs, offs < n), offs < n)
