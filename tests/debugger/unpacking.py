"""A kernel that assigns to several names at once, and passes expressions that the debugger's language does not have."""

import triton
import triton.language as tl


@triton.jit
def moments(value, weight):
    total = tl.sum(value * weight)
    square = tl.sum(value * value * weight)
    return total, square - total * total


@triton.jit
def parts(value, cut, SWAP: tl.constexpr):
    low = tl.where(value < cut, value, 0.0)
    if SWAP:
        return low, value - low
    return value - low, low


@triton.jit
def two_parts(value, cut):
    doubled = value.to(tl.float64) * 2
    return parts(doubled.to(tl.float32), cut, SWAP=True)


@triton.jit
def spread_rows(x, out, n, N: tl.constexpr):
    pid = tl.program_id(0)
    row, column = pid // 2, pid % 2
    offsets = (row * 2 + column) * N + tl.arange(0, N)
    loaded = tl.load(x + offsets, offsets < n, 0.0)
    mean, spread = moments(loaded, tl.where(offsets < n, 1.0, 0.0) / N)
    high, low = parts(tl.load(x + offsets, offsets < n, 0.0) * 3, mean, SWAP=False)
    (less, more) = two_parts(
        loaded,  # from here on
        cut=spread,
    )
    top, place = tl.max(less, axis=0, return_indices=True)
    tl.store(out + offsets, high * 2 + low + more * top + place)


@triton.jit
def changes_hands(x, out, N: tl.constexpr):
    offsets = tl.arange(0, N)
    best = tl.load(x + offsets)
    for step in range(2):
        more = tl.maximum(best, step * 4.0)
        best = more
        tl.store(out + offsets, best)
    last = best + 1
    best, last = last, best
    tl.store(out + offsets, best)
    size = N
    best = size
    tl.store(x + offsets, last)
