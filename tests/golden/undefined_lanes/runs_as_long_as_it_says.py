# args: run {file}::repeat --check all --grid 2 counts=ones:i32[1] x=randn:f32[64] out=empty:f32[64] n=1 BLOCK=32
"""Program 1 has no count: with the largest number its loop does not end in time."""

import triton
import triton.language as tl


@triton.jit
def repeat(counts, x, out, n, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    count = tl.load(counts + program, mask=program < n)
    i = program * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i)
    k = 0
    while k < count:
        k += 1
    tl.store(out + i, value)
