"""Kernels that store to what they load: how closely `--check all` must look at them (test_steps.py)."""

import triton
import triton.language as tl


@triton.jit
def scaled(x, n, BLOCK: tl.constexpr):
    """Stores what it loaded, in the same lanes."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(x + at, tl.load(x + at, mask=inside, other=0.0) * 2, mask=inside)


@triton.jit
def loss(x, target, out, columns, IGNORED: tl.constexpr, BLOCK: tl.constexpr):
    """Stores to its input where the target is ignored, which no row has; loads it twice, and one element alone."""
    row = tl.program_id(0)
    wanted = tl.load(target + row)
    at = tl.arange(0, BLOCK)
    if wanted == IGNORED:
        tl.store(x + row * columns + at, tl.zeros([BLOCK], tl.float32), mask=at < columns)
        return
    picked = tl.load(x + row * columns + wanted)
    largest = -float("inf")
    for first in range(0, columns, BLOCK):
        tile = tl.load(x + row * columns + first + at, mask=first + at < columns, other=-float("inf"))
        largest = tl.maximum(largest, tl.max(tile))
    tl.store(out + row, largest - picked)


@triton.jit
def in_two_rounds(x, n, BLOCK: tl.constexpr):
    """Stores each tile twice: boxes that are the same in the same lanes."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    for _ in range(2):
        tile = tl.load(x + at, mask=at < n, other=0.0)
        tl.store(x + at, tile + 1, mask=at < n)


@triton.jit
def shifted(x, n, BLOCK: tl.constexpr):
    """Loads from other lanes what it has stored: LS401."""
    at = tl.arange(0, BLOCK)
    tl.store(x + at, at.to(tl.float32), mask=at < n)
    tile = tl.load(x + at + 1, mask=at + 1 < n, other=0.0)
    tl.store(x + n + at, tile, mask=at < n)
