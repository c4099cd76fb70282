# args: run {file}::sums --grid 2 x=randn:f16[2,64] out=empty:f16[2,64] n=64 eps=1e-5 BLOCK=64 --real
# args: run {file}::product --grid 1 a=randn:f32[16,16] b=randn:f32[16,16] c=zeros:f32[16,16] --real
# args: run {file}::integers --grid 1 x=rand:f32[8] out=empty:f32[8] n=8 --real
# args: run {file}::added --grid 4 x=randn:f32[32] out=zeros:f32[1] --real
# args: run {file}::copied --grid 1 x=randn:f32[8] out=empty:f32[8] --real --report json
"""What results would be without rounding: small formats, tf32, constants, integers made of floats, atomics, a copy."""

import triton
import triton.language as tl


@triton.jit
def sums(x, out, n, eps, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at)
    mean = tl.sum(v, 0) / n
    tl.store(out + row * n + at, ((v - mean) * 0.1 + eps).to(tl.float16))


@triton.jit
def product(a, b, c):
    i, j = tl.arange(0, 16)[:, None], tl.arange(0, 16)[None, :]
    tl.store(c + i * 16 + j, tl.dot(tl.load(a + i * 16 + j), tl.load(b + i * 16 + j)))


@triton.jit
def integers(x, out, n):
    at = tl.arange(0, 8)
    steps = (tl.load(x + at) * 127.3).to(tl.int32)
    tl.store(out + at, steps.to(tl.float32) / 127.3)


@triton.jit
def added(x, out):
    at = tl.program_id(0) * 8 + tl.arange(0, 8)
    tl.atomic_add(out, tl.sum(tl.exp(tl.load(x + at)), 0))


@triton.jit
def copied(x, out):
    at = tl.arange(0, 8)
    tl.store(out + at, -tl.load(x + at))
