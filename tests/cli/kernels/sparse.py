"""Kernels for tensors that are larger than the memory they touch."""

import triton
import triton.language as tl


@triton.jit
def touch(out, step):
    program = tl.program_id(0)
    tl.store(out + program.to(tl.int64) * step, program + 1.0)


@triton.jit
def shift(x, out, far, start, BLOCK: tl.constexpr):
    index = start + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + index, tl.load(x + index) + tl.program_id(0) + 1)


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < n
    tl.store(out + index, tl.load(x + index, mask=mask) + tl.load(y + index, mask=mask), mask=mask)


@triton.jit
def counts(counter, out):
    tl.store(out + tl.program_id(0), tl.atomic_add(counter, 1))
