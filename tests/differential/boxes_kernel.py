"""A product whose left tile begins 64 elements before its row: legal addresses, negative columns of a box."""

import triton
import triton.language as tl


@triton.jit
def before_its_row(a, b, out, n, k, a_row, b_row, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr):
    row = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    column = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    step = tl.arange(0, TILE_K)
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for first in range(0, k, TILE_K):
        left = tl.load(a + (row[:, None] + 1) * a_row + (step[None, :] - 64 + first))
        right = tl.load(b + (step[:, None] + first) * b_row + column[None, :])
        total += tl.dot(left, right)
    tl.store(out + row[:, None] * n + column[None, :], total)


@triton.jit
def weighted(a, b, bias, out, m, n, k, a_row, b_row, out_row, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr):
    """A product, a bias and x * sigmoid(x), by programs of two axes: its end needs more registers than a plain product's."""
    row = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    column = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    step = tl.arange(0, TILE_K)
    a_tile = a + row[:, None] * a_row + step[None, :]
    b_tile = b + step[:, None] * b_row + column[None, :]
    total = tl.zeros([TILE_M, TILE_N], tl.float32)
    for first in range(0, k, TILE_K):
        left = tl.load(a_tile, mask=(row[:, None] < m) & (step[None, :] < k - first), other=0.0)
        right = tl.load(b_tile, mask=(step[:, None] < k - first) & (column[None, :] < n), other=0.0)
        total += tl.dot(left, right)
        a_tile += TILE_K
        b_tile += TILE_K * b_row
    total += tl.load(bias + column, mask=column < n, other=0.0)[None, :]
    total = total * tl.sigmoid(total)
    inside = (row[:, None] < m) & (column[None, :] < n)
    tl.store(out + row[:, None] * out_row + column[None, :], total.to(out.dtype.element_ty), mask=inside)
