"""Kernels for what Triton's other versions have, and for what ops.py leaves out."""
import triton
import triton.language as tl
from triton.language.extra import cuda, libdevice


@triton.jit
def atomic_access(flags, x, o, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.atomic_load(flags + i)
    v += tl.atomic_load(flags + i, mask=i < n, sem="relaxed", scope="cta")
    tl.atomic_store(flags + i, v)
    tl.atomic_store(flags + i, v, mask=i < n, sem="relaxed", scope="sys")
    f = tl.atomic_load(x)
    tl.atomic_store(x + 1, f * 2)
    tl.store(o + i, v + f)


@triton.jit
def atomic_wait(flags, o, n):
    tl.store(flags, 1)
    done = tl.atomic_poll(flags, 1)
    late = tl.atomic_poll(flags + 1, 7, sem="relaxed", scope="sys", timeout_ns=n)
    tl.store(o, done.to(tl.int32) + late.to(tl.int32) * 2)


@triton.jit
def dependent_launch(x, o, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    cuda.gdc_wait()
    v = tl.load(x + i)
    cuda.gdc_launch_dependents()
    tl.store(o + i, v / (v + 1.0))


@triton.jit
def extents(x, o, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + i)
    s = tl.squeeze(tl.sum(a, axis=1, keep_dims=True), 1)
    u = tl.unsqueeze(s, 1)
    tl.store(o + i, a * u)


@triton.jit
def folds(x, o, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + i)
    b = (a * 16).to(tl.int32)
    r = tl.xor_sum(b, 1) + tl.reduce_or(b, 1) + tl.min(b, 1) + tl.max(b, 1)
    m, k = tl.min(a, axis=0, return_indices=True, return_indices_tie_break_left=False)
    any_big = tl.max((a > 2).to(tl.int32), 1)
    tl.store(o + i, (r + any_big)[:, None] + (m + k)[None, :])


@triton.jit
def half_floats(x, y, z, o, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(x + i)
    b = tl.load(y + i)
    c = tl.load(z + i)
    h = a * b.to(tl.float16) + a / 3.0
    g = tl.maximum(b, c.to(tl.bfloat16)) - b * b
    w = tl.exp2(c) + tl.cos(c) + libdevice.erfc(c) + libdevice.rint(c)
    tl.store(o + i, h.to(tl.float32) + g.to(tl.float32) + w.to(tl.float32))


@triton.jit
def wide(x, o, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK).to(tl.int64)
    a = tl.load(x + i)
    h = (a.to(tl.int64) * n) >> 32
    q = tl.where(i < n, h, -h)
    d = tl.cdiv(n, 7) + tl.umulhi(n, n).to(tl.int64)
    tl.store(o + i, q + d + (a >> (i.to(tl.int32) & 31)))


@triton.jit
def branches(x, o, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    if n == 0:
        return
    a = tl.load(x + i, mask=i < n, other=0.0)
    k = 0
    while k < 4:
        if k == 2:
            a += 1.0
        elif k == 3:
            for j in range(k):
                a = a * 0.5 + j
        k += 1
    if pid > 100:
        return
    tl.store(o + i, a, mask=i < n)


@triton.jit(noinline=True)
def pair(x, y):
    return x + y, x * y


@triton.jit(noinline=True)
def tail(p, i, v):
    if v.to(tl.int1):
        tl.store(p + i, 1.0)


@triton.jit
def calls(x, o, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    f = tl.load(x)
    s, p = pair(f, 2.0)
    t, q = pair(n, n)
    tl.store(o + i, s + p + t + q + tl.load(x + i))
    tail(o, n, t)


@triton.jit
def narrow_floats(x, o, p, K: tl.constexpr):
    r = tl.arange(0, K)[:, None] * K + tl.arange(0, K)[None, :]
    a = tl.load(x + r)
    b = a.to(tl.float8e4nv)
    c = a.to(tl.float8e5)
    d = tl.dot(b, b.T)
    e = tl.dot(c, c)
    f = tl.dot(a.to(tl.bfloat16), a.to(tl.bfloat16), input_precision="ieee")
    tl.store(o + r, d + e + f)
    tl.store(p + r, b)


@triton.jit
def packed_scale(x, s, o, M: tl.constexpr, K: tl.constexpr):
    r = tl.arange(0, M)[:, None] * (K // 2) + tl.arange(0, K // 2)[None, :]
    a = tl.load(x + r)
    sc = tl.load(s + tl.arange(0, M)[:, None] * (K // 32) + tl.arange(0, K // 32)[None, :])
    b = tl.trans(tl.load(x + r))
    d = tl.dot_scaled(a, sc, "e2m1", b, sc, "e2m1")
    h = tl.load(o + tl.arange(0, M)[:, None] * M + tl.arange(0, M)[None, :])
    e = tl.dot_scaled(a, sc, "e2m1", tl.trans(tl.join(h, h).reshape(M, 2 * M)).to(tl.bfloat16), None, "bf16")
    tl.store(o + tl.arange(0, M)[:, None] * M + tl.arange(0, M)[None, :], d + e)


@triton.jit
def descriptor_kinds(x, y, o, M, N, BM: tl.constexpr, BN: tl.constexpr):
    d = tl.make_tensor_descriptor(x, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    u = tl.make_tensor_descriptor(y, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    f = tl.make_tensor_descriptor(o, shape=[2, M, N], strides=[M * N, N, 1], block_shape=[1, BM, BN])
    a = d.load([0, 0])
    d.atomic_add([0, 0], a)
    d.atomic_min([0, 0], a)
    d.atomic_max([0, 0], a)
    d.atomic_and([0, 0], a)
    d.atomic_or([0, 0], a)
    d.atomic_xor([0, 0], a)
    u.atomic_max([0, 0], u.load([0, BN]))
    f.store([1, 0, 0], tl.reshape(a.to(tl.float32), (1, BM, BN)))


@triton.jit
def old_descriptors(x, M, N):  # 3.3
    d = tl._experimental_make_tensor_descriptor(x, [M, N], [N, 1], [16, 32])
    d.store([16, 0], d.load([0, 0]))
    g = tl._experimental_make_tensor_descriptor(x, [M, N], [N, 1], [1, 32])
    i = tl.arange(0, 8)
    g.scatter(g.gather(i, 0), i, 32)


@triton.jit
def raw_descriptors(x):  # 3.3
    d = tl._experimental_reinterpret_tensor_descriptor(x, [16, 32], tl.float16)
    d.store([16, 0], d.load([0, 0]))
