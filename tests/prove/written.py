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


@triton.jit
def halves(x, out, HALF: tl.constexpr):
    """Each half of a row has a store of its own."""
    row = tl.program_id(0).to(tl.int64) * 2 * HALF
    cols = tl.arange(0, HALF)
    tl.store(out + row + cols, tl.load(x + row + cols))
    tl.store(out + row + HALF + cols, tl.load(x + row + HALF + cols))


@triton.jit
def halves_apart(x, out, HALF: tl.constexpr):
    """Nobody writes what lies between the halves."""
    row = tl.program_id(0).to(tl.int64) * (2 * HALF + 1)
    cols = tl.arange(0, HALF)
    tl.store(out + row + cols, tl.load(x + row + cols))
    tl.store(out + row + HALF + 1 + cols, tl.load(x + row + HALF + cols))


@triton.jit
def half_twice(x, out, HALF: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * 2 * HALF
    cols = tl.arange(0, HALF)
    tl.store(out + row + cols, tl.load(x + row + cols))
    tl.store(out + row + cols, tl.load(x + row + HALF + cols))


@triton.jit
def two_blocks(x, out, n, BLOCK: tl.constexpr):
    """A program writes two blocks that follow each other."""
    offs = tl.program_id(0) * 2 * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs, offs < n), offs < n)
    offs += BLOCK
    tl.store(out + offs, tl.load(x + offs, offs < n), offs < n)


@triton.jit
def two_blocks_without_last(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * 2 * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs, offs < n), offs < n)
    offs += BLOCK
    tl.store(out + offs, tl.load(x + offs, offs < n), offs < n - 1)


@triton.jit
def in_two_branches(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    if pid % 2 == 0:
        tl.store(out + offs, tl.load(x + offs, offs < n), offs < n)
    else:
        tl.store(out + offs, 0.0, offs < n)


@triton.jit
def in_two_branches_of_three(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    if pid % 3 == 0:
        tl.store(out + offs, tl.load(x + offs, offs < n), offs < n)
    elif pid % 3 == 1:
        tl.store(out + offs, 0.0, offs < n)


@triton.jit
def quarters(x, out, M, B: tl.constexpr):
    """Tiles of four blocks, as matrices that are inverted by parts have them."""
    r = tl.program_id(0) * 2 * B + tl.arange(0, B)
    c = tl.arange(0, B)
    p = out + r[:, None] * 2 * B + c[None, :]
    on = (r < M)[:, None]
    low = (r + B < M)[:, None]
    tl.store(p, 1.0, on)
    tl.store(p + B, 2.0, on)
    tl.store(p + B * 2 * B, 3.0, low)
    tl.store(p + B * 2 * B + B, 4.0, low)


@triton.jit
def three_quarters(x, out, M, B: tl.constexpr):
    r = tl.program_id(0) * 2 * B + tl.arange(0, B)
    c = tl.arange(0, B)
    p = out + r[:, None] * 2 * B + c[None, :]
    on = (r < M)[:, None]
    low = (r + B < M)[:, None]
    tl.store(p, 1.0, on)
    tl.store(p + B * 2 * B, 3.0, low)
    tl.store(p + B * 2 * B + B, 4.0, low)


@triton.jit
def with_tail(x, out, n, BLOCK: tl.constexpr):
    """Whole blocks without a mask, then the rest."""
    cols = tl.arange(0, BLOCK)
    whole = n // BLOCK
    for i in range(0, whole):
        tl.store(out + i * BLOCK + cols, tl.load(x + i * BLOCK + cols))
    offs = whole * BLOCK + cols
    tl.store(out + offs, tl.load(x + offs, offs < n), offs < n)


@triton.jit
def without_tail(x, out, n, BLOCK: tl.constexpr):
    cols = tl.arange(0, BLOCK)
    whole = n // BLOCK
    for i in range(1, whole):
        tl.store(out + i * BLOCK + cols, tl.load(x + i * BLOCK + cols))
    offs = whole * BLOCK + cols
    tl.store(out + offs, tl.load(x + offs, offs < n), offs < n)


@triton.jit
def pairs(x, out, n, BLOCK: tl.constexpr):
    """Real and imaginary parts side by side."""
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs * 2, tl.load(x + offs * 2, offs < n), offs < n)
    tl.store(out + offs * 2 + 1, tl.load(x + offs * 2 + 1, offs < n), offs < n)


@triton.jit
def pairs_of_three(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs * 3, tl.load(x + offs * 2, offs < n), offs < n)
    tl.store(out + offs * 3 + 1, tl.load(x + offs * 2 + 1, offs < n), offs < n)
