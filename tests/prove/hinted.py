"""Kernels that promise the compiler something: each right one has a twin whose promise breaks."""

import triton
import triton.language as tl


@triton.jit
def aligned(x, out, n, BLOCK: tl.constexpr):
    first = tl.multiple_of(tl.program_id(0) * BLOCK, BLOCK)
    offs = tl.max_contiguous(first + tl.arange(0, BLOCK), BLOCK)
    tl.store(out + offs, tl.load(x + offs, offs < n), offs < n)


@triton.jit
def aligned_off_by_one(x, out, n, BLOCK: tl.constexpr):
    first = tl.multiple_of(tl.program_id(0) * BLOCK + 1, BLOCK)
    offs = tl.max_contiguous(first + tl.arange(0, BLOCK), BLOCK)
    tl.store(out + offs, tl.load(x + offs, offs < n), offs < n)


@triton.jit
def aligned_beyond(x, out, n, BLOCK: tl.constexpr):
    """What is promised beyond 16 does not hold, and is harmless."""
    first = tl.multiple_of(tl.program_id(0) * BLOCK, 2 * BLOCK)
    offs = first + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs, offs < n), offs < n)


@triton.jit
def wrapped(x, out, n, BLOCK: tl.constexpr):
    """The usual one of matmul, where n is no multiple of a block."""
    offs = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)) % n
    offs = tl.max_contiguous(tl.multiple_of(offs, BLOCK), BLOCK)
    tl.store(out + offs, tl.load(x + offs))


@triton.jit
def strided(x, out, M, N, stride, BLOCK: tl.constexpr):
    first = tl.multiple_of(tl.program_id(0) * stride, 8)
    cols = tl.arange(0, BLOCK)
    tl.store(out + tl.program_id(0) * N + cols, tl.load(x + first + cols, cols < N), cols < N)


@triton.jit
def groups(x, out, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + tl.max_constancy(offs // 4, 4)))


@triton.jit
def groups_too_large(x, out, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + tl.max_constancy(offs // 4, 8)))


@triton.jit
def tile(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """A hint for each dimension."""
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    at = tl.max_contiguous(tl.multiple_of(r[:, None] * (16 * N) + c[None, :], [1, BN]), [1, BN])
    on = (r[:, None] < M) & (c[None, :] < 16 * N)
    tl.store(out + at, tl.load(x + at, on), on)


@triton.jit
def tile_other_dimension(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    at = tl.max_contiguous(r[:, None] * (16 * N) + c[None, :], [BM, 1])
    on = (r[:, None] < M) & (c[None, :] < 16 * N)
    tl.store(out + at, tl.load(x + at, on), on)


@triton.jit
def rows_alike(x, out, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.arange(0, BN)
    same = tl.max_constancy(r[:, None] + (c // BN)[None, :], [1, BN])
    tl.store(out + r[:, None] * BN + c[None, :], tl.load(x + same))


@triton.jit
def assumed(x, out, n, BLOCK: tl.constexpr):
    """An assumption that the grid keeps, and that the first load needs."""
    first = tl.program_id(0) * BLOCK
    tl.assume(first < n)
    offs = first + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs, offs < n) + tl.load(x + first), offs < n)


@triton.jit
def assumed_of_sizes(x, out, M, N, stride, BLOCK: tl.constexpr):
    """Becomes a condition."""
    tl.assume(stride >= N)
    tl.assume((stride > 0) & (N > 0))
    cols = tl.arange(0, BLOCK)
    value = tl.load(x + tl.program_id(0) * stride + cols, cols < N)
    tl.store(out + tl.program_id(0) * N + cols, value, cols < N)


@triton.jit
def assumed_of_data(x, index, out, n):
    at = tl.load(index + tl.program_id(0))
    tl.assume(at >= 0)
    tl.assume(at < n)
    tl.store(out + tl.program_id(0), tl.load(x + at))


@triton.jit
def loaded(x, index, out, n):
    at = tl.multiple_of(tl.load(index + tl.program_id(0)), 16)
    tl.store(out + tl.program_id(0), tl.load(x + at))
