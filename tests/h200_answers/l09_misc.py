import math

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def pr(x, n, f, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.device_print('val', v)
    tl.device_print('n f', n, f)
    tl.device_print('hex', n, hex=True)
    print('pfx: ', n)
    tl.device_print('e', n)


@triton.jit
def pr2(x, M: tl.constexpr, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])
    tl.device_print('m', v)
    tl.device_print('b', v > 2)
    tl.device_print('u', v.to(tl.uint8))
    tl.device_print('p', x)


@triton.jit
def ia(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.inline_asm_elementwise('add.s32 $0, $1, 5;', '=r,r', [tl.load(x + i)], dtype=tl.int32, is_pure=True, pack=1))


@triton.jit
def ld(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, libdevice.tanh(tl.load(x + i)))


@triton.jit
def ext(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.extra.cuda.libdevice.ffs(tl.load(x + i)))


@triton.jit
def ds(a, s, o, K: tl.constexpr):
    r = tl.arange(0, K)[:, None] * K + tl.arange(0, K)[None, :]
    q = tl.load(a + r)
    sc = tl.load(s + tl.arange(0, K)[:, None] * (K // 32) + tl.arange(0, K // 32)[None, :])
    tl.store(o + r, tl.dot_scaled(q, sc, 'e4m3', q, sc, 'e4m3'))


@triton.jit
def ga(x, ix, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.gather(tl.load(x + i), tl.load(ix + i), 0))


@triton.jit
def comb(a1, b1, a2, b2):
    return (a1 * a2, b1 * a2 + b2)


@triton.jit
def comb1(a, b):
    return a * 2 + b


@triton.jit
def sc(x, o, N: tl.constexpr, R: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    p, q = tl.associative_scan((v, v + 1), 0, comb, reverse=R)
    tl.store(o + i, p)
    tl.store(o + N + i, q)
    tl.store(o + 2 * N + i, tl.associative_scan(v, 0, comb1, reverse=R))


@triton.jit
def rd(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    p, q = tl.reduce((v, v + 1), 0, comb)
    tl.store(o, p)
    tl.store(o + 1, q)


@triton.jit
def rdi(x, ix, o, N: tl.constexpr):
    i = tl.arange(0, N)
    v, j = tl.reduce((tl.load(x + i), tl.load(ix + i)), 0, tl.standard._argmax_combine_tie_break_left)
    tl.store(o, v)
    tl.store(o + 1, j)


@triton.jit
def red2(x, o, M: tl.constexpr, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])
    tl.store(o + tl.arange(0, M), tl.sum(v, 1))
    tl.store(o + M + tl.arange(0, N), tl.sum(v, axis=0))
    tl.store(o + M + N, tl.sum(v))
    tl.store(o + M + N + 1 + tl.arange(0, 1)[:, None] + tl.arange(0, 1)[None, :], tl.sum(v, keep_dims=True))
    tl.store(o + M + N + 2, tl.xor_sum(tl.xor_sum(v, 0), 0))
    tl.store(o + M + N + 3 + tl.arange(0, M), tl.sum(v, -1))


@triton.jit
def so(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(o + i, tl.sort(v))
    tl.store(o + N + i, tl.sort(v, descending=True))
    tl.store(o + 2 * N + tl.arange(0, 2), tl.topk(v, 2))
    tl.store(o + 3 * N + i, tl.flip(v, 0))


@triton.jit
def hi(x, o, N: tl.constexpr, B: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(o + tl.arange(0, B), tl.histogram(v, B))
    tl.store(o + B + tl.arange(0, B), tl.histogram(v, B, mask=v > 1))


@triton.jit
def el(x):
    if x > 0:
        r = x * 2
    else:
        r = x - 1
    return r


@triton.jit
def me(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.map_elementwise(el, tl.load(x + i)))


@triton.jit
def shapes(x, o, M: tl.constexpr, N: tl.constexpr):
    idx = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + idx)
    t = v.T
    tl.store(o + tl.arange(0, N)[:, None] * M + tl.arange(0, M)[None, :], t)
    j = tl.join(v, v + 100)
    l, h = tl.split(j)
    tl.store(o + 8 + idx, h - l)
    c = tl.cat(tl.ravel(v), tl.ravel(v), can_reorder=True)
    tl.store(o + 16 + tl.arange(0, 2 * M * N), c)
    tl.store(o + 32 + tl.arange(0, 2 * M * N), tl.ravel(tl.interleave(v, v + 100)))
    tl.store(o + 48, tl.sum(v))
    a, b = tl.split(tl.join(tl.sum(v), tl.max(v)))
    tl.store(o + 49, a)
    tl.store(o + 50, b)


@triton.jit
def bp(x, o, M, N, BM: tl.constexpr, BN: tl.constexpr, PAD: tl.constexpr):
    p = tl.make_block_ptr(x, (M, N), (N, 1), (1, 2), (BM, BN), (1, 0))
    v = tl.load(p, boundary_check=(0, 1), padding_option=PAD)
    tl.store(o + tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :], v)


@triton.jit
def bpadv(x, o, M, N, n, BM: tl.constexpr, BN: tl.constexpr):
    p = tl.make_block_ptr(x, (M, N), (N, 1), (0, 0), (BM, BN), (1, 0))
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(3):
        acc += tl.load(p, boundary_check=(0, 1))
        p = tl.advance(p, (0, 1))
        q = p.advance((1, 0))
    tl.store(o + tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :], acc)


@triton.jit
def td(x, o, M, N, OFF: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    d = tl.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN])
    v = d.load([0, OFF])
    tl.store(o + tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :], v)


@triton.jit
def tda(x, M, N, BM: tl.constexpr, BN: tl.constexpr):
    d = tl.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN])
    d.atomic_add([0, 0], tl.full((BM, BN), 1.0, tl.float32))


@triton.jit
def at(x, f, h, b, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.atomic_add(x + i * 0, 1))
    tl.atomic_max(f + i, i * 1.0 - 1.5)
    tl.atomic_min(f + N + i, i * 1.0 - 1.5)
    tl.atomic_add(h + i * 0, 0.5)


@triton.jit
def atb(b):
    tl.atomic_add(b, 0.5)


@triton.jit
def cas64(p, o):
    tl.store(o, tl.atomic_cas(p, 0, 7))


@triton.jit
def casf(p, o):
    tl.store(o, tl.atomic_cas(p, 0.0, 7.0))


@triton.jit
def ats(p, o):
    tl.store(o, tl.atomic_add(p, 5, mask=False))


@triton.jit
def rn(o, N: tl.constexpr, seed):
    i = tl.arange(0, N)
    tl.store(o + i, tl.rand(seed, i))
    tl.store(o + N + i, tl.randn(seed, i))
    tl.store(o + 2 * N + i, tl.randint(seed, i).to(tl.float32))


@triton.jit
def rn4(o, N: tl.constexpr, seed):
    i = tl.arange(0, N)
    a, b, c, d = tl.randint4x(seed, i)
    tl.store(o + i, a.to(tl.int32, bitcast=True))
    tl.store(o + N + i, b.to(tl.int32, bitcast=True))
    tl.store(o + 2 * N + i, c.to(tl.int32, bitcast=True))
    tl.store(o + 3 * N + i, d.to(tl.int32, bitcast=True))


@triton.jit
def wh(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(o + i, tl.where(v, 1, 2))
    tl.store(o + N + i, tl.where(v > 0, v, 0.5).to(tl.int32))


@triton.jit
def ldscalar_mask(x, o, n):
    tl.store(o, tl.load(x, mask=n > 3, other=7))
    tl.store(o + 1, tl.load(x + 1, mask=None))
    tl.store(o + 2, tl.load(x, n > 100, -3.7))


@triton.jit
def ldmask_noother(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.load(x + i, mask=i < 2))


@triton.jit
def intmask(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.load(x + i, mask=i, other=0), mask=(i < 3).to(tl.int32))


@triton.jit
def bst(o, N: tl.constexpr):
    tl.store(o + tl.arange(0, N)[:, None], tl.arange(0, N)[None, :])


@triton.jit
def clampi(o, n):
    tl.store(o, tl.clamp(n, 0, 3))


@triton.jit
def floordivf(o, n):
    tl.store(o, n // 2.0)


@triton.jit
def rel(x, o, n, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    e = v.to(tl.float16)
    tl.store(o + tl.arange(0, N), (e * 3.0).to(tl.float32))


@triton.jit
def numelk(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(o, v.numel)
    tl.store(o + 1, v.shape[0])
    tl.store(o + 2, len(v.shape))
    tl.store(o + 3, v.dtype.primitive_bitwidth)
    tl.store(o + 4, x.dtype.element_ty == tl.int32)


@triton.jit
def flipd(x, o, N: tl.constexpr):
    tl.store(o + tl.arange(0, N), tl.flip(tl.load(x + tl.arange(0, N))))


@triton.jit
def sc1(x, o):
    v = tl.load(x)
    tl.store(o, tl.sum(tl.reshape(tl.full((1,), 3, tl.int32), (1, 1))))
    tl.store(o + 1, tl.expand_dims(v, 0).item())


@triton.jit
def emptyprint(o):
    tl.device_print('')
