"""Kernels of the kinds that packages have, small, for planted faults: each is launched as launches.json says."""

import triton
import triton.language as tl


@triton.jit
def rms_norm(x, weight, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    value = tl.load(x + row * columns + column, mask=inside, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(value * value, axis=0) / columns + eps)
    result = value * scale * tl.load(weight + column, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + row * columns + column, result.to(tl.float16), mask=inside)


@triton.jit
def swiglu(gate, up, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    g = tl.load(gate + at, mask=inside, other=0.0).to(tl.float32)
    u = tl.load(up + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + at, (g / (1.0 + tl.exp(-g)) * u).to(tl.bfloat16), mask=inside)


@triton.jit
def cross_entropy(logits, label, loss, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    most = -float("inf")
    total = 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        value = tl.load(logits + row * columns + at, mask=at < columns, other=-float("inf"))
        new = tl.maximum(most, tl.max(value, axis=0))
        total = total * tl.exp(most - new) + tl.sum(tl.exp(value - new), axis=0)
        most = new
    right = tl.load(logits + row * columns + tl.load(label + row))
    tl.store(loss + row, most + tl.log(total) - right)


@triton.jit
def rotary(q, cos, sin, out, HALF: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, HALF)
    c = tl.load(cos + row * HALF + at)
    s = tl.load(sin + row * HALF + at)
    left = tl.load(q + row * 2 * HALF + at)
    right = tl.load(q + row * 2 * HALF + HALF + at)
    tl.store(out + row * 2 * HALF + at, left * c - right * s)
    tl.store(out + row * 2 * HALF + HALF + at, right * c + left * s)


@triton.jit
def adam(p, g, m, v, n, rate, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    gradient = tl.load(g + at, mask=inside, other=0.0)
    first = 0.9 * tl.load(m + at, mask=inside, other=0.0) + 0.1 * gradient
    second = 0.99 * tl.load(v + at, mask=inside, other=0.0) + 0.01 * gradient * gradient
    old = tl.load(p + at, mask=inside, other=0.0)
    tl.store(p + at, old - rate * first / (tl.sqrt(second) + 1e-6), mask=inside)
    tl.store(m + at, first, mask=inside)
    tl.store(v + at, second, mask=inside)


@triton.jit
def linear_attention(q, k, v, out, length, CHUNK: tl.constexpr, DEPTH: tl.constexpr):
    head = tl.program_id(0)
    row = tl.arange(0, CHUNK)
    column = tl.arange(0, DEPTH)
    state = tl.zeros((DEPTH, DEPTH), dtype=tl.float32)
    for start in range(0, length, CHUNK):
        at = head * length * DEPTH + (start + row)[:, None] * DEPTH + column[None, :]
        b_q = tl.load(q + at)
        b_k = tl.load(k + at)
        b_v = tl.load(v + at)
        weight = tl.where(row[:, None] >= row[None, :], tl.dot(b_q, tl.trans(b_k)), 0.0)
        result = tl.dot(b_q, state.to(tl.float16)) + tl.dot(weight.to(tl.float16), b_v)
        state = state * 0.9 + tl.dot(tl.trans(b_k), b_v)
        tl.store(out + at, result.to(tl.float16))


@triton.jit
def gelu_bias(x, bias, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    value = tl.load(x + row * columns + at, mask=inside, other=0.0) + tl.load(bias + at, mask=inside, other=0.0)
    tl.store(out + row * columns + at, 0.5 * value * (1.0 + tl.erf(value * 0.70710678)), mask=inside)


@triton.jit
def quantise(x, out, scale, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    value = tl.load(x + row * columns + at, mask=inside, other=0.0)
    most = tl.max(tl.abs(value), axis=0)
    tl.store(scale + row, most / 127.0)
    tl.store(out + row * columns + at, value * (127.0 / most), mask=inside)


@triton.jit
def running_mean(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    value = tl.load(x + row * columns + at, mask=inside, other=0.0)
    tl.store(out + row * columns + at, tl.cumsum(value, axis=0) / (at + 1).to(tl.float32), mask=inside)


@triton.jit
def column_sums(x, out, rows, columns, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    column = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inside = (row < rows)[:, None] & (column < columns)[None, :]
    value = tl.load(x + row[:, None] * columns + column[None, :], mask=inside, other=0.0)
    tl.atomic_add(out + column, tl.sum(value * value, axis=0), mask=column < columns)
