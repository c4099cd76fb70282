# args: run {file}::walk --grid 2 x=arange:i32[64] out=empty:i32[64] n=64 limit=9 rounds=3 BLOCK=32 --check all --cover
# args: run {file}::walk --grid 2 x=arange:i32[64] out=empty:i32[64] n=64 limit=9 rounds=3 BLOCK=32 --cover --threads 1 --check all
# args: run {file}::walk --grid 2 x=arange:i32[64] out=empty:i32[64] n=64 limit=9 rounds=0 BLOCK=32 --check all --cover --report json
"""A branch that is never taken with what stands in it, a helper that only it calls, masks that cut nothing or everything,
loops that always go round."""

import triton
import triton.language as tl


@triton.jit
def halved(value):
    return value // 2


@triton.jit
def walk(x, out, n, limit, rounds, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + index, mask=index < n)
    if n > 100:
        value = halved(value)
        tl.store(out + index, value)
    for _ in range(rounds):
        value += tl.load(x + index, mask=value < 0, other=1)
    left = limit
    while left > 4:
        left -= 3
    if n > 60:
        value += left
    tl.store(out + index, value, mask=index < n)
