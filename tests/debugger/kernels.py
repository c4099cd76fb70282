"""Kernels of the debugger's tests that the examples have no like of."""

import triton
import triton.language as tl


@triton.jit
def two_stages(x, partial, count, out, PARTS: tl.constexpr, N: tl.constexpr):
    """Programs 0 to PARTS - 1 sum a row each; the last one adds up, in rising prefixes, what they left in memory."""
    row = tl.program_id(0)
    if row < PARTS:
        values = tl.load(x + row * N + tl.arange(0, N))
        tl.store(partial + row, tl.sum(values, 0))
        tl.atomic_add(count, 1, sem="release")
    else:
        while tl.atomic_add(count, 0, sem="acquire") < PARTS:
            pass
        parts = tl.load(partial + tl.arange(0, PARTS))
        tl.store(out + tl.arange(0, PARTS), tl.cumsum(parts, 0))


@triton.jit
def pick(x, index, out, N: tl.constexpr):
    """out[i] = 2 * x[index[i]]."""
    offsets = tl.program_id(0) * N + tl.arange(0, N)
    chosen = tl.load(x + tl.load(index + offsets))
    tl.store(out + offsets, 2 * chosen)


@triton.jit(noinline=True)
def product_and_tenth(v, w):
    return v * w + 0.1


@triton.jit
def four_calls(x, out):
    """Calls that stay calls: digits are lost in the last of them."""
    i = tl.program_id(0)
    v = tl.load(x + i)
    for _k in range(3):
        v = product_and_tenth(v, v)
    tl.store(out + i, product_and_tenth(v, v + 1000.0) - 100.0)


@triton.jit
def relax(x, N: tl.constexpr, STEPS: tl.constexpr):
    """In place: each iteration loads what the one before it stored."""
    offsets = tl.program_id(0) * N + tl.arange(0, N)
    for _step in range(STEPS):
        tl.store(x + offsets, tl.load(x + offsets) * 1.5 + 0.25)


@triton.jit
def overflow_then_divide(x, scratch, out, CHUNKS: tl.constexpr, N: tl.constexpr):
    """Program 0 leaves exponentials in memory, some too large for float32; program 1 adds them up and divides."""
    lanes = tl.arange(0, N)
    if tl.program_id(0) == 0:
        for chunk in range(CHUNKS):
            power = tl.exp(8.0 * tl.load(x + chunk * N + lanes))
            tl.store(scratch + chunk * N + lanes, power)
    else:
        acc = tl.zeros([N], tl.float32)
        for chunk in range(CHUNKS):
            acc += tl.load(scratch + chunk * N + lanes)
        share = acc / tl.sum(acc, 0)
        tl.store(out + lanes, share)


@triton.jit
def stops_itself(x, out, N: tl.constexpr):
    """Its own breakpoint() in one program, where something is negative."""
    offsets = tl.program_id(0) * N + tl.arange(0, N)
    value = tl.load(x + offsets)
    if tl.min(value, 0) < 0:
        breakpoint()
    tl.store(out + offsets, tl.sqrt(value))


@triton.jit
def patient(x, out, count, turns, BLOCK: tl.constexpr):
    """Takes its time, and ends with what is no number."""
    lanes = tl.arange(0, BLOCK)
    acc = tl.load(x + lanes)
    for _turn in range(turns):
        acc = tl.sqrt(acc * acc + 1.0)
    tl.atomic_add(count, 1)
    tl.store(out + tl.program_id(0) * BLOCK + lanes, acc / (acc - acc))
