# args: run {file}::count --grid 1 --fail-on warning --check lanes batches=zeros:i64[1] indices=zeros:i64[4] out=zeros:i64[4] ONE=1
"""Silent: every thread loads the count, and the thread that stores it is the only one that needs what it loaded."""

import triton
import triton.language as tl


@triton.jit
def count(batches, indices, out, ONE: tl.constexpr):
    before = tl.broadcast_to(tl.load(batches), [ONE])
    tl.store(batches + tl.zeros([ONE], tl.int32), before + 1)
    at = tl.load(indices + tl.zeros([ONE], tl.int32))
    tl.store(out + at, before)
    tl.store(indices, tl.load(indices) + 1)
