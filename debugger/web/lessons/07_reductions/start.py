import triton
import triton.language as tl


@triton.jit
def row_mean(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.arange(0, ROWS)
    column = tl.arange(0, COLUMNS)
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    value = tl.load(x + row[:, None] * columns + column[None, :], mask=inside, other=0.0)
    mean = tl.sum(value, axis=1) / COLUMNS
    tl.store(out + row, mean, mask=row < rows)
