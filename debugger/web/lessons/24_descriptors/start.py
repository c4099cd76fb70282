import triton
import triton.language as tl


@triton.jit
def row_sums(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    table = tl.make_tensor_descriptor(x, shape=[ROWS, COLUMNS], strides=[columns, 1], block_shape=[ROWS, COLUMNS])
    tile = table.load([0, 0])
    row = tl.arange(0, ROWS)
    tl.store(out + row, tl.sum(tile, axis=1), mask=row < rows)
