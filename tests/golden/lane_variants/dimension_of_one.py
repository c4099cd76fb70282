# args: run {file}::exchange --grid 1 --fail-on warning --check lanes x=randn:f32[8,16] y=randn:f32[8,16] M=8 N=16
"""Silent: a dimension of one element in front changes no lane."""

import triton
import triton.language as tl


@triton.jit
def exchange(x, y, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + i)
    b = tl.load(y + i)
    j = tl.reshape(i, [1, M, N])
    tl.store(x + j, tl.reshape(b, [1, M, N]))
    tl.store(y + j, tl.reshape(a, [1, M, N]))
