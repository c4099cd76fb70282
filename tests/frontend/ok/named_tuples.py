"""NamedTuple classes and namedtuple(): made in kernels, passed, returned, carried by loops and branches."""
# spec: o=*i32 n=i32
from collections import namedtuple
from typing import NamedTuple

import triton
import triton.language as tl


class Range(NamedTuple):
    low: tl.tensor
    high: tl.tensor
    step: tl.constexpr = 2


Point = namedtuple("Point", ["x", "y"])
Pair = NamedTuple("Pair", [("first", int), ("second", int)])


@triton.jit
def width(r):
    return (r.high - r.low) // r.step


@triton.jit
def moved(r, by):
    return Range(r.low + by, r.high + by, step=r.step)


@triton.jit
def kernel(o, n):
    r = Range(n, n * 2)
    tl.store(o, width(r) + r[0] + len(r))
    tl.store(o + 1, width(Range(low=n, high=7, step=3)))
    p = Point(n, (n, 1))
    for i in range(n):
        r = moved(r, i)
        p = Point(p.x + r.low, (p.y[0] - i, p.y[1]))
    if n > 3:
        r = Range(r.high, r.low, r.step)
    x, y = p
    tl.store(o + 2, r.low + r.high + x + y[0])
    tl.store(o + 3, Pair(n, 4).second)
