# args: run {file}::count_votes --grid 2 --check all --fail-on warning "votes=full(3):i8[2,64]" out=zeros:i32[2] BLOCK=64
"""The votes have 32 bits before they are added."""

import triton
import triton.language as tl


@triton.jit
def add(a, b):
    return a + b


@triton.jit
def count_votes(votes, out, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    vote = tl.load(votes + row * BLOCK + tl.arange(0, BLOCK))
    tl.store(out + row, tl.reduce(vote.to(tl.int32), 0, add))
