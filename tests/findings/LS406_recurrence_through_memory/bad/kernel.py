# args: run {file}::decay --grid 2 --fail-on warning --check all x=rand:f32[16,64] state=zeros:f32[16,64] rows=8 D=64
"""The loop is pipelined: the load of row r - 1 may start before the iteration that stores it."""

import triton
import triton.language as tl


@triton.jit
def decay(x, state, rows, D: tl.constexpr):
    d = tl.arange(0, D)
    first = tl.program_id(0) * rows
    for r in tl.range(1, rows, num_stages=3):
        before = tl.load(state + (first + r - 1) * D + d)
        here = tl.load(x + (first + r) * D + d)
        tl.store(state + (first + r) * D + d, before * 0.9 + here)
