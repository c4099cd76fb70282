"""Programs that touch the same memory: the order of the programs shows in the result unless it is fixed."""

import triton
import triton.language as tl


@triton.jit
def float_sum(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i, mask=i < n, other=0.0)
    tl.atomic_add(out, tl.sum(value, axis=0))
    tl.atomic_add(out + 1 + tl.arange(0, BLOCK), value)


@triton.jit
def tickets(counter, out):
    place = tl.atomic_add(counter, 1)
    tl.store(out + place, tl.program_id(0))


@triton.jit
def last_store_wins(out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.program_id(0) * BLOCK + i)


@triton.jit
def chain(x):
    p = tl.program_id(0)
    tl.store(x + p + 1, tl.load(x + p) + 1)


@triton.jit
def read_after_the_end(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i), mask=i < n)
