# args: run {file}::softmax --grid 3 --fail-on warning --check lanes x=rand:f32[3,256] N=256 B=64
"""Silent: three passes over a row, always by the same lanes."""

import triton
import triton.language as tl


@triton.jit
def softmax(x, N, B: tl.constexpr):
    row = x + tl.program_id(0) * N
    i = tl.arange(0, B)
    most = tl.full([B], float("-inf"), tl.float32)
    for first in range(0, N, B):
        most = tl.maximum(most, tl.load(row + first + i))
    top = tl.max(most, axis=0)
    total = tl.zeros([B], tl.float32)
    for first in range(0, N, B):
        e = tl.exp(tl.load(row + first + i) - top)
        tl.store(row + first + i, e)
        total += e
    norm = tl.sum(total, axis=0)
    for first in range(0, N, B):
        tl.store(row + first + i, tl.load(row + first + i) / norm)
