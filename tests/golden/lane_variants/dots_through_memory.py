# args: run {file}::powers --grid 1 --fail-on warning --check lanes a=rand:f16[16,16] p=ones:f16[64,16] STEPS=4
"""LS406: a product in a loop loads what the iteration before it stored."""

import triton
import triton.language as tl


@triton.jit
def powers(a, p, STEPS: tl.constexpr):
    i = tl.arange(0, 16)
    tile = i[:, None] * 16 + i[None, :]
    matrix = tl.load(a + tile)
    for k in range(1, STEPS):
        before = tl.load(p + (k - 1) * 256 + tile)
        tl.store(p + k * 256 + tile, tl.dot(before, matrix).to(tl.float16))
