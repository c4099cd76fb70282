"""Kernels of test_gpu_facts.py: one operation each, on inputs whose results an H200 printed."""

import triton
import triton.language as tl


@triton.jit
def cast(x, out, N: tl.constexpr, TYPE: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i).to(TYPE))


@triton.jit
def cast_towards_zero(x, out, N: tl.constexpr, TYPE: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i).to(TYPE, fp_downcast_rounding="rtz"))


@triton.jit
def divide(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i) // tl.load(y + i))
    tl.store(out + N + i, tl.load(x + i) % tl.load(y + i))


@triton.jit
def unsigned(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i).to(tl.uint32, bitcast=True)
    b = tl.load(y + i).to(tl.uint32, bitcast=True)
    tl.store(out + i, (a // b).to(tl.int32, bitcast=True))
    tl.store(out + N + i, (a % b).to(tl.int32, bitcast=True))
    tl.store(out + 2 * N + i, (a > b).to(tl.int32))
    tl.store(out + 3 * N + i, (a >> 1).to(tl.int32, bitcast=True))


@triton.jit
def wrap(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, a + b)
    tl.store(out + N + i, a - b)
    tl.store(out + 2 * N + i, a * b)
    tl.store(out + 3 * N + i, -a)
    tl.store(out + 4 * N + i, tl.abs(a))


@triton.jit
def small_integers(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    tl.store(out + i, (a << 4).to(tl.int32))
    tl.store(out + N + i, (a >> 1).to(tl.int32))
    tl.store(out + 2 * N + i, (a + 100).to(tl.int32))
    tl.store(out + 3 * N + i, (a * a).to(tl.int32))


@triton.jit
def compare_with_literals(x, y, out):
    a = tl.load(x).to(tl.uint32, bitcast=True)
    tl.store(out, (a > -1).to(tl.int32))
    tl.store(out + 1, (a < -1).to(tl.int32))
    tl.store(out + 2, (a == 4294967295).to(tl.int32))
    tl.store(out + 3, (a == -1).to(tl.int32))
    b = tl.load(y)
    tl.store(out + 4, (b < 300).to(tl.int32))
    tl.store(out + 5, (b == 200).to(tl.int32))


@triton.jit
def mixed_signs(x, y, out):
    a = tl.load(x)
    b = tl.load(y).to(tl.uint32, bitcast=True)
    tl.store(out, (a + b).to(tl.int64))
    tl.store(out + 1, (a < b).to(tl.int64))
    tl.store(out + 2, a.to(tl.int64) + b)


@triton.jit
def high_product(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.umulhi(tl.load(x + i), tl.load(y + i)))


@triton.jit
def negations(x, out):
    a = tl.load(x)
    tl.store(out, ~a)
    b = a > 3
    tl.store(out + 1, (~b).to(tl.int32))
    tl.store(out + 2, (not b).to(tl.int32))
    tl.store(out + 3, (-b).to(tl.int32))
    tl.store(out + 4, b + b)
    tl.store(out + 5, (b * 3).to(tl.int32))


@triton.jit
def bool_sums(x, out, N: tl.constexpr):
    b = tl.load(x + tl.arange(0, N)) > 0
    tl.store(out, tl.sum(b))
    tl.store(out + 1, tl.max(b.to(tl.int32)))
    tl.store(out + 2, tl.sum(b.to(tl.int8)))


@triton.jit
def bf16_arithmetic(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, (a + b).to(tl.float32))
    tl.store(out + N + i, (a * b).to(tl.float32))
    tl.store(out + 2 * N + i, (a / b).to(tl.float32))
    tl.store(out + 3 * N + i, (a - b).to(tl.float32))


@triton.jit
def extremes(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, tl.maximum(a, b))
    tl.store(out + N + i, tl.minimum(a, b))
    tl.store(out + 2 * N + i, tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL))


@triton.jit
def reduced_extremes(x, out, N: tl.constexpr):
    a = tl.load(x + tl.arange(0, N))
    tl.store(out, tl.max(a))
    tl.store(out + 1, tl.min(a))
    tl.store(out + 2, tl.argmax(a, 0))
    tl.store(out + 3, tl.argmin(a, 0))
    value, place = tl.max(a, 0, return_indices=True)
    tl.store(out + 4, value)
    tl.store(out + 5, place)


@triton.jit
def float_remainder(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i) % tl.load(y + i))
    tl.store(out + N + i, tl.load(x + i) / tl.load(y + i))


@triton.jit
def dot(x, y, out, N: tl.constexpr, TYPE: tl.constexpr):
    place = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + place, tl.dot(tl.load(x + place), tl.load(y + place), out_dtype=TYPE).to(out.dtype.element_ty))


@triton.jit
def scalar_types(out, b, n):
    if b:
        tl.store(out, n)
    else:
        tl.store(out, -1)


@triton.jit
def default_argument(out, scale=2.5, shift: tl.constexpr = 5):
    tl.store(out, scale + shift)


@triton.jit
def none_argument(out, x):
    if x is None:
        tl.store(out, -1.0)
    else:
        tl.store(out, tl.load(x))


@triton.jit
def literals_as_f64(out):
    tl.store(out, 0.1)
    tl.store(out + 1, 1e300)
    tl.store(out + 2, 1e-40)
    tl.store(out + 3, 3000000000)
    tl.store(out + 4, 1.0 / 3.0 + tl.zeros((), tl.float32))


@triton.jit
def loops(out, n):
    total = 0
    for i in range(0, n):
        total += i
    for i in range(n):
        total += 1
    tl.store(out, total)
    total = 0
    for i in range(0, n * 2, n - 3):
        total += i
    tl.store(out + 1, total)
    total = 0
    for i in range(n, 0, -2):
        total = total * 10 + i
    tl.store(out + 2, total)
    for i in tl.static_range(4):
        tl.store(out + 3 + i, (i - 3) // 2)


@triton.jit
def random_numbers(out, seed, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.rand(seed, i))
    tl.store(out + N + i, tl.randn(seed, i))
