# args: run {file}::count --grid 1 --fail-on warning --check lanes batches=zeros:i64[1] out=zeros:i64[64] ONE=1 B=64
"""LS402: every thread loads the count in a tile of one element and stores it into a row; one thread stores over it before."""

import triton
import triton.language as tl


@triton.jit
def count(batches, out, ONE: tl.constexpr, B: tl.constexpr):
    zero = tl.zeros([ONE], tl.int32)
    before = tl.load(batches + zero)
    tl.store(batches + zero, before + 1)
    tl.store(out + tl.arange(0, B), tl.broadcast_to(before, [B]))
