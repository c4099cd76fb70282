"""A kernel with a loop, a helper and a mask, for the debugger's tests: out[row, :] sums scaled tiles of a row."""

import triton
import triton.language as tl


@triton.jit
def scale(value, factor):
    scaled = value * factor
    return scaled + 1.0


@triton.jit
def rows(x, out, columns, factor, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in range(0, columns, BLOCK):
        column = k + tl.arange(0, BLOCK)
        inside = column < columns
        value = tl.load(x + row * columns + column, mask=inside, other=0.0)
        total += scale(value, factor)
    tl.store(out + row * BLOCK + tl.arange(0, BLOCK), total)
