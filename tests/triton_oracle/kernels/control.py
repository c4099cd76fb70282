"""Control flow as Triton compiles it; test_gpu_facts.py holds what an H200 stored."""

import math

import triton
import triton.language as tl

SIX = tl.constexpr(6)


@triton.jit
def ranges_in_while(out, n):
    total = 0
    turn = 0
    while turn < n:
        for j in tl.range(0, 3):
            total += j
        for k in tl.range(0, n):
            total += 100 * k
        turn += 1
    tl.store(out, total)


@triton.jit
def early(x, n):
    if n > 3:
        return x * 2
    return x + 1


@triton.jit
def early_nested(x, n):
    if n > 0:
        if n > 3:
            return x * 2
        x += 100
    return x + 1


@triton.jit
def early_returns(out, a, b, c):
    ten = tl.full((), 10, tl.int32)
    tl.store(out, early(ten, a))
    tl.store(out + 1, early(ten, b))
    tl.store(out + 2, early_nested(ten, a))
    tl.store(out + 3, early_nested(ten, b))
    tl.store(out + 4, early_nested(ten, c))


@triton.jit
def logic_on_tiles(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(out + i, ((v > 0) and (v < 3)).to(tl.int32))
    tl.store(out + N + i, ((v > 0) or (v < -3)).to(tl.int32))
    tl.store(out + 2 * N + i, (not (v > 0)).to(tl.int32))


@triton.jit
def python_extremes(x, y, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, max(tl.load(x + i), tl.load(y + i)))
    tl.store(out + N + i, min(tl.load(x + i), tl.load(y + i)))
    tl.store(out + 2 * N, max(n, 3))
    tl.store(out + 2 * N + 1, min(n, 3, 2))
    tl.store(out + 2 * N + 2, max(2, 7))


@triton.jit
def both(a, b):
    return a + b, a - b


@triton.jit
def tuples(out, n):
    total, difference = both(n, 2)
    pair = both(total, difference)
    tl.store(out, pair[0])
    tl.store(out + 1, pair[1])
    tl.store(out + 2, len(pair))
    three = (1, 2, 3)
    doubled = [value * 2 for value in three]
    tl.store(out + 3, doubled[0] + doubled[1] + doubled[2])
    tl.store(out + 4, 1 if n > 3 else 2)
    tl.store(out + 5, SIX + 1)


@triton.jit
def add_one(x):
    return x + 1


@triton.jit
def apply(F: tl.constexpr, x):
    return F(x)


@triton.jit
def down(n: tl.constexpr):
    if n == 0:
        return 0
    else:
        return n + down(n - 1)


@triton.jit
def functions(out):
    tl.store(out, apply(add_one, tl.full((), 4, tl.int32)))
    tl.store(out + 1, down(4))
    tl.store(out + 2, int(math.pi * 1000))
    tl.store(out + 3, int(math.sqrt(2.0) * 1000))


@triton.jit
def for_else(out, N: tl.constexpr):
    for i in tl.static_range(0, N):
        tl.store(out, i)
    else:
        tl.store(out, 7)
    N = N + 1
    tl.store(out + 1, N)


@triton.jit
def outside_the_loop(out, n):
    value = tl.zeros((4,), tl.int32)
    other = 5
    for i in range(0, n):
        if i % 2 == 0:
            value += i
        else:
            other = other * 2
            value -= other
    tl.store(out + tl.arange(0, 4), value)
    tl.store(out + 4, other)


@triton.jit
def early_exit(out, n):
    p = tl.program_id(0)
    if p >= n:
        return
    tl.store(out + p, p + 1)
