"""vector_add.py with its mask forgotten: the last program reads and writes past the end of every vector (LS101).

lockstep run examples/vector_add_missing_mask.py::vector_add --grid "cdiv(n, BLOCK)" x=randn:f32[1000] y=randn:f32[1000] out=empty:f32[1000] n=1000 BLOCK=128
"""

import triton
import triton.language as tl


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.load(x + index)
    right = tl.load(y + index)
    tl.store(out + index, left + right)
