"""Kernels of the rows that have no library's kernel: gathers, scans, sorts, histograms, as people write them."""

import triton
import triton.language as tl


@triton.jit
def embedding(table, rows, out, count, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    row = tl.load(rows + index, mask=inside, other=0)
    column = tl.arange(0, WIDTH)
    value = tl.load(table + row[:, None] * WIDTH + column[None, :], mask=inside[:, None])
    tl.store(out + index[:, None] * WIDTH + column[None, :], value, mask=inside[:, None])


@triton.jit
def cumsum_row(x, out, columns, BLOCK: tl.constexpr):
    start = tl.program_id(0) * columns
    column = tl.arange(0, BLOCK)
    inside = column < columns
    value = tl.load(x + start + column, mask=inside, other=0.0)
    tl.store(out + start + column, tl.cumsum(value, axis=0), mask=inside)


@triton.jit
def cumsum_tile(x, out, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    column = tl.arange(0, BLOCK)
    place = row[:, None] * columns + column[None, :]
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    value = tl.load(x + place, mask=inside, other=0.0)
    tl.store(out + place, tl.cumsum(value, axis=1), mask=inside)


@triton.jit
def sort_row(x, out, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + place, tl.sort(tl.load(x + place)))


@triton.jit
def histogram(x, out, count, BINS: tl.constexpr, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    value = tl.load(x + index, mask=inside, other=0)
    found = tl.histogram(value, BINS, mask=inside)
    tl.atomic_add(out + tl.arange(0, BINS), found, sem="relaxed")
