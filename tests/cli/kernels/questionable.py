import helpers_that_are_missing
import triton
import triton.language as tl
from elsewhere import SIZE

LIMIT = 8
TABLE = {"a": 1}
FAST = tl.constexpr(False)


def plain(x):
    return x


@triton.jit
def fine(x, n, BLOCK: tl.constexpr, FLAG: tl.constexpr = False):
    place = tl.arange(0, BLOCK)
    if FAST:
        tl.what_does_not_exist(place)
    if FLAG:
        raise ValueError("not meant to be compiled")
    for i in range(n):
        tl.store(x + place, tl.sum(tl.load(x + place), axis=0) + i, mask=place < n)


@triton.jit
def wrong(x, n, BLOCK: tl.constexpr):
    place = tl.arrange(0, BLOCK)
    for i in [1, 2]:
        break
    total = {"a": 1}
    tl.store(x + place, plain(LIMIT) + SIZE + TABLE["a"] + undefined, masc=place < n)
    fine(x, BLOCK=BLOCK, size=3)
    squares = lambda v: v * v  # noqa: E731


@triton.jit
def not_yet(x):
    tl.store(x, tl.extra.something(x))
