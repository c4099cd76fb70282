# args: run {file}::spread --grid 1 --check all,-tiles o=empty:i32[4,16]
"""The row stride is that of another tensor: rows lie over each other within one tile."""

import triton
import triton.language as tl


@triton.jit
def spread(o):
    row = tl.arange(0, 4)
    column = tl.arange(0, 16)
    tl.store(o + row[:, None] * 4 + column[None, :], row[:, None] * 100 + column[None, :])
