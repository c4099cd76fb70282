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
