"""Aggregate classes: fields, jit methods, constexpr methods, nesting, operators, and as values in loops and branches."""
# spec: o=*i32 n=i32 B=8
import triton
import triton.language as tl
from triton.language.core import _aggregate as aggregate


@aggregate
class Tile:
    pointer: tl.tensor
    block: tl.constexpr

    @triton.constexpr_function
    def __init__(self, pointer, block):
        self.pointer = pointer
        self.block = tl.constexpr(block)

    @triton.jit
    def offsets(self):
        return tl.arange(0, self.block)

    @triton.constexpr_function
    def half(self):
        return self.block // 2

    @triton.jit
    def write(self, value):
        tl.store(self.pointer + self.offsets(), value)


@aggregate
class Sum:
    total: tl.tensor
    count: tl.tensor

    @triton.constexpr_function
    def __init__(self, total, count):
        self.total = total
        self.count = count

    @triton.jit
    def zero():
        return Sum(tl.full((), 0, tl.int32), tl.full((), 0, tl.int32))

    @triton.jit
    def __add__(self, other):
        return Sum(self.total + other.total, self.count + other.count)

    @triton.jit
    def __getitem__(self, i):
        return self.total + i


@aggregate
class Work:
    tile: Tile
    sum: Sum
    bias: tl.tensor | tl.constexpr

    @triton.constexpr_function
    def __init__(self, tile, sum, bias=tl.constexpr(3)):
        self.tile = tile
        self.sum = sum
        self.bias = bias


@triton.jit
def finish(w):
    w.tile.write(w.sum.total + w.bias)
    return w.sum


@triton.jit
def kernel(o, n, B: tl.constexpr):
    s = Sum.zero()
    for i in range(n):
        s = s + Sum(i, n)
        if i > 3:
            s = Sum(s.total * 2, s.count)
    while s.count > 4:
        s = Sum(s.total - 1, s.count - 1)
    if n == 9:
        s = Sum(s.count, s.total)
    tile = Tile(o, B)
    t = finish(Work(tile, s, n))
    tl.store(o + tile.half(), t.total + finish(Work(tile, t)).count + t[5])
    if hasattr(tile, "block") and isinstance(tile, Tile):
        tl.store(o, tile.block)
