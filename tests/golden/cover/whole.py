# args: run {file}::spread_sum --grid 4 x=arange:i32[50] out=empty:i32[50] n=50 BLOCK=16 --cover
# args: run {file}::spread_sum --grid 4 x=arange:i32[50] out=empty:i32[50] n=50 BLOCK=16 --cover --threads 1 --check none
"""Every line, both ways of the branch and of the loop, both sides of the masks: nothing is named below the counts."""

import triton
import triton.language as tl


@triton.jit
def larger(a, b):
    return tl.where(a > b, a, b)


@triton.jit
def spread_sum(x, out, n, BLOCK: tl.constexpr):
    program = tl.program_id(0)
    index = program * BLOCK + tl.arange(0, BLOCK)
    total = tl.sum(tl.load(x + index, mask=index < n, other=0), axis=0)
    for i in range(program):
        total = larger(total, i)
    if program > 1:
        total += 1
    tl.store(out + index, total, mask=index < n)
