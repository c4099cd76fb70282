# args: run {file}::smear --grid 2 --fail-on warning --check lanes x=rand:bf16[128] out=zeros:bf16[130] B=64
"""LS403: two stores, one element apart, in two bytes an element."""

import triton
import triton.language as tl


@triton.jit
def smear(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    row = tl.program_id(0) * (B + 1)
    value = tl.load(x + tl.program_id(0) * B + i)
    tl.store(out + row + i, value)
    tl.store(out + row + i + 1, value * 0.5)
