"""Kernels for launches without Triton: no torch, no packages, module-level constants of every kind."""

import triton
import triton.language as tl

SCALE = tl.constexpr(3)
ELEMENT = tl.float32


@triton.jit
def twice(x):
    return x * 2


@triton.jit
def scaled_add(x, y, out, n, BLOCK: tl.constexpr = 128, ADD: tl.constexpr = True):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    value = tl.load(x + offsets, mask=mask, other=0)
    if ADD:
        value += tl.load(y + offsets, mask=mask, other=0)
    tl.store(out + offsets, twice(value) * SCALE, mask=mask)


@triton.jit
def converted(x, out, scale, n, DTYPE: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x + offsets, mask=offsets < n, other=0).to(DTYPE) * scale
    tl.store(out + offsets, value.to(tl.float32), mask=offsets < n)


@triton.jit
def out_of_bounds(x, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(x + offsets))


@triton.autotune([triton.Config({"BLOCK": 64}, num_warps=2), triton.Config({"BLOCK": 128})], key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def tuned(x, out, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(out + offsets, tl.load(x + offsets) + BLOCK)
    else:
        tl.store(out + offsets, tl.load(x + offsets, mask=offsets < n) - BLOCK, mask=offsets < n)
