"""What of Python kernels may say, each construct once or twice."""
# spec: x=*i32 o=*i32 f=*fp32 p=(i32,(*i32,fp32)) n=i32 N=4 D='a' H=True
import math

import triton
import triton.language as tl

G = tl.constexpr(6)


@triton.constexpr_function
def bits(n):
    return n.bit_length() - 1


@triton.constexpr_function
def divisors(n):
    found = []
    for i in range(1, n + 1):
        if n % i == 0:
            found.append(i)
    found[0] = 7
    return tuple(found)


@triton.jit
def both(a, b):
    return a + b, a - b


@triton.jit
def plus(a, b=2, c: tl.constexpr = 3):
    return a + b * c


@triton.jit
def apply(x, F: tl.constexpr):
    return F(x)


@triton.jit
def down_to_zero(n: tl.constexpr):
    if n == 0:
        return 0
    else:
        return n + down_to_zero(n - 1)


@triton.jit
def kernel(x, o, f, p, n, N: tl.constexpr, D: tl.constexpr, H: tl.constexpr):
    """A docstring."""
    i = tl.arange(0, N)
    a = tl.load(x + i)
    tl.store(o + i, ((a > 0) and (a < 3)).to(tl.int32) + ((a > 0) or (a < -3)).to(tl.int32))
    tl.store(o + i, (not (a > 0)).to(tl.int32))
    tl.store(o + i, max(a, n) + min(a, i))
    tl.store(o, max(n, 3) + min(n, 3, 2) + max(2, 7))
    count = 0
    while count < n:
        for j in tl.range(0, 3):
            count += j
        for j in tl.range(n, 10, n):
            count += j
        count += 1
    for j in range(n, 0, -1):
        count += j
    for j in tl.static_range(5, 0, -2):
        count += j
    else:
        tl.store(o, 7)
    t = (1, 2, n)
    u = [item * 2 for item in t]
    s, d = both(u[0], u[2])
    tl.store(o, s + d + len(u) + (t + (4,))[-1] + t[1:][0] + (n,)[0])
    tl.store(o, plus(n) + plus(n, c=4) + plus(b=n, a=3) + plus(*both(n, 1)))
    tl.store(o, p[0] + tl.load(p[1][0]))
    tl.store(o, 1 if n > 3 else 2)
    tl.store(o, apply(n, plus) + down_to_zero(4) + bits(N) + divisors(6)[0] + len(divisors(6)))
    name: tl.constexpr = f"{D}-{N}-{D!r}"
    tl.static_assert(N == 4, f"N must be 4, got {N}")
    if name == "a-4-'a'" and D.startswith("a") and len(D) == 1:
        tl.store(o, G + 1)
    tl.store(f, math.pi + math.sqrt(2.0) + float("inf"))
    N = N + 1
    tl.assume(n == 4)
    tl.device_assert(n == 4, "n must be 4")
    assert n > 1, f"not {D}"
    tl.store(o, n) if n > 3 else tl.store(o, 4)
    if H and n > 3:
        tl.store(o, getattr(tl, "maximum")(n, 3))
    if not H:
        undefined(n)
    elif hasattr(tl, "nothing_like_this"):
        tl.nothing_like_this(n)
    elif isinstance(n, tl.tensor) and isinstance(t, tl.tuple):
        pass
    tl.store(o, N)
