"""Kernels that go wrong, or take long, on purpose: for test_faults.py, test_plugin.py and child processes of theirs."""

import triton
import triton.language as tl


@triton.jit
def copy(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + index)  # no mask
    tl.store(out + index, value, mask=index < n)


@triton.jit
def copy_masked(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + index, tl.load(x + index, mask=index < n, other=0.0), mask=index < n)


@triton.jit
def double_then_fault(x, BLOCK: tl.constexpr):
    """Doubles its block in place; program 2 then reads far outside."""
    program = tl.program_id(0)
    index = program * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + index, tl.load(x + index) * 2)
    if program == 2:
        tl.store(x + index, tl.load(x + index + 1000000))


@triton.jit
def assert_small(x, BLOCK: tl.constexpr):
    value = tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.device_assert(value < 10, "value is not small")


@triton.jit
def wait_for_ever(flag):
    while tl.atomic_add(flag, 0) == 0:
        pass


@triton.jit
def spin(x, steps):
    """Each program adds 1 to its element, then counts for about steps nanoseconds, then adds 1 again."""
    program = tl.program_id(0)
    tl.store(x + program, tl.load(x + program) + 1)
    total = 0
    for step in range(steps):
        total = (total * 7 + step) & 1023
    tl.store(x + program, tl.load(x + program) + 1 + total // 1024)


@triton.jit
def rows(x, out, columns, BLOCK: tl.constexpr):
    """Row `program` of x, taken to be `columns` wide without gaps, whatever its stride."""
    row = tl.program_id(0)
    index = tl.arange(0, BLOCK)
    mask = index < columns
    tl.store(out + row * columns + index, tl.load(x + row * columns + index, mask=mask), mask=mask)


@triton.jit
def helper_load(x, index):
    return tl.load(x + index)


@triton.jit
def copy_by_helper(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = helper_load(x, index)
    tl.store(out + index, value, mask=index < n)


@triton.jit
def add_one(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + index, tl.load(x + index, mask=index < n) + 1, mask=index < n)


@triton.jit
def chain(x):
    """x[p + 1] = x[p] + 1: each program needs what the one before it stored."""
    program = tl.program_id(0)
    tl.store(x + program + 1, tl.load(x + program) + 1)
