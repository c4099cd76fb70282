import math

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def wh(o, n):
    i = 0
    s = 0
    while i < n:
        for j in tl.range(0, 3):
            s += j
        i += 1
    tl.store(o, s)


@triton.jit
def whr(o, n):
    i = 0
    s = 0
    while i < n:
        for j in tl.range(0, n):
            s += j
        i += 1
    tl.store(o, s)


@triton.jit
def early(x, n):
    if n > 3:
        return x * 2
    return x + 1


@triton.jit
def early_k(o, n):
    tl.store(o, early(tl.full((), 10, tl.int32), n))


@triton.jit
def early_nested(x, n):
    if n > 0:
        if n > 3:
            return x * 2
        x += 100
    return x + 1


@triton.jit
def early_nk(o, n):
    tl.store(o, early_nested(tl.full((), 10, tl.int32), n))


@triton.jit
def ret_loop(x, n):
    for i in range(n):
        if i > 2:
            return x
    return x + 1


@triton.jit
def ret_loop_k(o, n):
    tl.store(o, ret_loop(tl.full((), 10, tl.int32), n))


@triton.jit
def brk(o, n):
    s = 0
    for i in range(8):
        if i == 3:
            break
        s += i
    tl.store(o, s)


@triton.jit
def chain(x, o, N: tl.constexpr):
    i = tl.load(x + tl.arange(0, N))
    tl.store(o + tl.arange(0, N), (0 < i < 3).to(tl.int32))


@triton.jit
def andor(x, o, N: tl.constexpr):
    i = tl.load(x + tl.arange(0, N))
    m = i > 0 and i < 3
    tl.store(o + tl.arange(0, N), m.to(tl.int32))
    q = i > 0 or i < -3
    tl.store(o + N + tl.arange(0, N), q.to(tl.int32))


@triton.jit
def notb(x, o, N: tl.constexpr):
    i = tl.load(x + tl.arange(0, N))
    m = not i > 0
    tl.store(o + tl.arange(0, N), m.to(tl.int32))


@triton.jit
def ifblk(x, o, N: tl.constexpr):
    i = tl.load(x + tl.arange(0, N))
    if i > 0:
        tl.store(o, 1)
    else:
        tl.store(o, 2)


@triton.jit
def minmax(x, y, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, max(tl.load(x + i), tl.load(y + i)))
    tl.store(o + N + i, min(tl.load(x + i), tl.load(y + i)))


@triton.jit
def minmaxs(o, n):
    tl.store(o, max(n, 3))
    tl.store(o + 1, min(n, 3, 2))
    tl.store(o + 2, max(2, 7))


@triton.jit
def absb(o, n):
    tl.store(o, abs(n))


@triton.jit
def loopty(o, n):
    acc = 0
    for i in range(4):
        acc = acc + 0.5
    tl.store(o, acc)


@triton.jit
def ifty(o, n):
    if n > 3:
        v = 1
    else:
        v = 2.5
    tl.store(o, v)


@triton.jit
def ifdef(o, n):
    if n > 3:
        v = 1
    tl.store(o, v)


@triton.jit
def loopdef(o, n):
    for i in range(4):
        v = i
    tl.store(o, v)


@triton.jit
def shp(o, n):
    acc = tl.zeros((4,), tl.int32)
    for i in range(2):
        acc = tl.zeros((8,), tl.int32)
    tl.store(o, tl.sum(acc))

G = 5
GC = tl.constexpr(6)

@triton.jit
def glob(o):
    tl.store(o, G)


@triton.jit
def globc(o):
    tl.store(o, GC + 1)


@triton.jit
def nested(o):

    def f(x):
        return x + 1
    tl.store(o, f(3))


@triton.jit
def lam(o):
    f = lambda x: x + 1
    tl.store(o, f(3))


@triton.jit
def lcomp(o):
    t = (1, 2, 3)
    u = [x * 2 for x in t]
    tl.store(o, u[0] + u[1] + u[2])


@triton.jit
def lcompr(o):
    u = [x * 2 for x in range(3)]
    tl.store(o, u[0] + u[1] + u[2])


@triton.jit
def setit(o, N: tl.constexpr):
    x = tl.zeros((N,), tl.int32)
    x[0] = 3
    tl.store(o, tl.sum(x))


@triton.jit
def getit(o, N: tl.constexpr):
    x = tl.arange(0, N)
    tl.store(o, x[2])


@triton.jit
def sl(o, N: tl.constexpr):
    x = tl.arange(0, N)
    tl.store(o, tl.sum(x[0:2]))


@triton.jit
def mult(o):
    x = y = 3
    tl.store(o, x + y)


@triton.jit
def tern(o, n):
    v = 1 if n > 3 else 2
    tl.store(o, v)


@triton.jit
def ternty(o, n):
    v = 1 if n > 3 else 2.5
    tl.store(o, v)


@triton.jit
def nt(o, p):
    tl.store(o, p.a + tl.load(p.b))


@triton.jit
def tup(o, p):
    tl.store(o, p[0] + tl.load(p[1][0]))


@triton.jit
def tupr(a, b):
    return (a + b, a - b)


@triton.jit
def tupk(o, n):
    s, d = tupr(n, 2)
    t = tupr(s, d)
    tl.store(o, t[0])
    tl.store(o + 1, t[1])
    tl.store(o + 2, len(t))


@triton.jit
def starargs(o, *xs):
    tl.store(o, xs[0])


@triton.jit
def f1(x):
    return x + 1


@triton.jit
def hof(o, F: tl.constexpr):
    tl.store(o, F(tl.full((), 4, tl.int32)))


@triton.jit
def rec(n: tl.constexpr):
    if n == 0:
        return 0
    else:
        return n + rec(n - 1)


@triton.jit
def rec2(n: tl.constexpr):
    if n == 0:
        return 0
    return n + rec2(n - 1)


@triton.jit
def reck2(o):
    tl.store(o, rec2(4))


@triton.jit
def reck(o):
    tl.store(o, rec(4))


@triton.jit
def sa(o, N: tl.constexpr):
    tl.static_assert(N == 4, f'N must be 4, got {N}')
    tl.store(o, N)


@triton.jit
def sat(o, n):
    tl.static_assert(n == 4, 'dyn')
    tl.store(o, n)


@triton.jit
def da(o, n):
    tl.device_assert(n == 4, 'n must be 4')
    tl.store(o, n)


@triton.jit
def asm(o, n):
    tl.assume(n == 4)
    tl.store(o, n)


@triton.jit
def nonpow2(o):
    tl.store(o + tl.arange(0, 3), tl.arange(0, 3))


@triton.jit
def rtarange(o, n):
    tl.store(o + tl.arange(0, n), tl.arange(0, n))


@triton.jit
def rtshape(o, n):
    tl.store(o, tl.sum(tl.zeros((n,), tl.int32)))


@triton.jit
def isin(o, n, D: tl.constexpr):
    if D in ('a', 'b'):
        tl.store(o, 1)


@triton.jit
def powop(o, n):
    tl.store(o, n ** 2)


@triton.jit
def matop(x, o, N: tl.constexpr):
    r = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + r)
    tl.store(o + r, v @ v)


@triton.jit
def tryk(o):
    try:
        tl.store(o, 1)
    except:
        tl.store(o, 2)


@triton.jit
def delk(o):
    x = 3
    del x
    tl.store(o, 1)


@triton.jit
def walrus(o, n):
    if (m := (n + 1)) > 3:
        tl.store(o, m)


@triton.jit
def dictk(o, n):
    d = {'a': 3}
    tl.store(o, d['a'])


@triton.jit
def strfmt(o, n, D: tl.constexpr):
    x: tl.constexpr = f'{D}-x'
    if x == 'a-x':
        tl.store(o, 1)


@triton.jit
def mathk(o):
    tl.store(o, math.pi)
    tl.store(o + 1, math.sqrt(2.0))
    tl.store(o + 2, float('inf'))


@triton.constexpr_function
def ilog(n):
    return n.bit_length() - 1


@triton.jit
def cefk(o, N: tl.constexpr):
    tl.store(o, ilog(N))


def plain(n):
    return n + 1


@triton.jit
def plaink(o, N: tl.constexpr):
    tl.store(o, plain(N))


@triton.jit
def forelse(o):
    for i in tl.static_range(2):
        tl.store(o, i)
    else:
        tl.store(o, 7)


@triton.jit
def sr_rt(o, n):
    for i in tl.static_range(n):
        tl.store(o, i)


@triton.jit
def rngstep0(o, n):
    for i in range(0, 4, n):
        tl.store(o, i)


@triton.jit
def iterlist(o):
    for i in (1, 2, 3):
        tl.store(o, i)


@triton.jit
def constre(o, N: tl.constexpr):
    N = N + 1
    tl.store(o, N)


@triton.jit
def constreloop(o, N: tl.constexpr):
    for i in range(3):
        N = N + 1
    tl.store(o, N)


@triton.jit
def annre(o):
    x: tl.constexpr = 3
    x: tl.constexpr = 4
    tl.store(o, x)


@triton.jit
def cshort(o, p, H: tl.constexpr):
    if H and tl.load(p) > 0:
        tl.store(o, 1)
    else:
        tl.store(o, 0)


@triton.jit
def kwd(o, *, n):
    tl.store(o, n)


@triton.jit
def posonly(o, n, /):
    tl.store(o, n)
