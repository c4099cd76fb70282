# args: run {file}::twice --check all --grid 2 flags=ones:i32[1] x=randn:f32[64] out=empty:f32[64] n=1 BLOCK=32
"""Program 1 has no flag, but both ways store the same."""

import triton
import triton.language as tl


@triton.jit
def twice(flags, x, out, n, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    flag = tl.load(flags + program, mask=program < n)
    i = program * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i)
    if flag > 0:
        tl.store(out + i, value * 2.0)
    else:
        tl.store(out + i, value + value)
