"""Kernels of bench/growth.py: work whose amount is one number, so that a curve shows the cost of one more of it."""

import triton
import triton.language as tl


@triton.jit
def polynomial(x, y, out, n, OPS: tl.constexpr, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    left, right = tl.load(x + index, mask=inside), tl.load(y + index, mask=inside)
    value = left
    for _ in tl.static_range(OPS):
        value = value * left + right
    tl.store(out + index, value, mask=inside)


@triton.jit
def scalar_loop(x, out, count):
    total = 0
    for at in range(count):
        total = (total ^ at) * 3 + 1
    tl.store(out, total.to(tl.float32))


@triton.jit
def tile_loop(x, out, count):
    index = tl.arange(0, 1024)
    for at in range(count):
        tl.store(out + index, tl.load(out + index) + at)
