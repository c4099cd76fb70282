"""The same lane stores and loads again: one thread under the model tile, perhaps two under strict."""

import triton
import triton.language as tl


@triton.jit
def twice(x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, tl.load(x + i) * 2)
    tl.store(x + i, tl.load(x + i) + 1)
