"""Imports of every form; read by tests/unit/frontend/module_loader_test.cpp."""
import triton
import triton.language as tl
from triton import jit
from triton.language import exp as exponential, float16

import helpers
import kernels.inner.deep
import kernels.inner.deep as deep
from helpers import SHIFT, scale as rescale
from kernels import from_package
from missing_library import something

HALF = tl.constexpr(0.5)
QUARTER = HALF * HALF
PLAIN = 3
if PLAIN > 2:
    CHOSEN = tl.constexpr(10)
else:
    CHOSEN = tl.constexpr(20)
if something:
    UNCERTAIN = tl.constexpr(1)
else:
    UNCERTAIN = tl.constexpr(2)
try:
    from another_missing import FALLBACK
except ImportError:
    FALLBACK = tl.constexpr(7)
add_one = helpers.add_one


@triton.constexpr_function
def largest_power(limit, base=2):
    value = 1
    while value * base <= limit:
        value *= base
    return value


@triton.autotune(configs=[triton.Config({"B": 32})], key=["n"])
@triton.heuristics({"EVEN": lambda arguments: arguments["n"] % 2 == 0})
@triton.jit(do_not_specialize=["n", 2])
def kernel(x, n, m, y: "fp16", EVEN: tl.constexpr, B: tl.constexpr = 16, scale: tl.float32 = 1.5, FLAG: tl.constexpr = None):
    i = tl.arange(0, largest_power(B + 3))
    v = tl.load(x + i) * QUARTER + CHOSEN + SHIFT
    v = rescale(v) + helpers.add_one(v) + add_one(v) + deep.deepest(v) + kernels.inner.deep.deepest(v)
    v = from_package(v) + exponential(v) + v.to(float16)
    tl.store(x + i, v)


@jit
def uses_unknown(x):
    tl.store(x, UNCERTAIN)


@jit
def uses_missing(x):
    tl.store(x, something(1))


@jit
def uses_fallback(x):
    tl.store(x, FALLBACK)


def plain(x):
    return x
