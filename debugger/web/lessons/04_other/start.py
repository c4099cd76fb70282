import triton
import triton.language as tl


@triton.jit
def row_max(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + column, mask=column < columns)
    tl.store(out + row, tl.max(value, axis=0))
