# args: run {file}::running_max --check all --grid 1 x=randn:f32[8,64] best=empty:f32[64] out=zeros:f32[64] rows=8 BLOCK=64
"""The running maximum is kept in scratch memory, and the first row compares with what the scratch happened to hold."""

import triton
import triton.language as tl


@triton.jit
def running_max(x, best, out, rows, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    for row in range(rows):
        value = tl.load(x + row * BLOCK + index)
        tl.store(best + index, tl.maximum(value, tl.load(best + index)))
        tl.debug_barrier()
    tl.store(out + index, tl.load(best + index))
