"""Adds two vectors, one program for each BLOCK elements; the mask keeps the last program inside.

lockstep run examples/vector_add.py::vector_add --grid "cdiv(n, BLOCK)" x=randn:f32[98432] y=randn:f32[98432] out=empty:f32[98432] n=98432 BLOCK=1024 --print out
"""

import triton
import triton.language as tl


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    left = tl.load(x + index, mask=inside)
    right = tl.load(y + index, mask=inside)
    tl.store(out + index, left + right, mask=inside)
