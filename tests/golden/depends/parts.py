# args: run {file}::gathered --grid 2 x=randn:f32[16] index=randint(0,15):i32[16] out=empty:f32[16] n=12 --depends out[3] --depends out[13]
# args: run {file}::ragged --grid 2 x=arange:f32[16] starts=arange:i32[3] out=empty:f32[2] --depends out[1]
# args: run {file}::product --grid 1 a=randn:f32[16,16] b=randn:f32[16,16] c=zeros:f32[16,16] --depends c[2,5]
# args: run {file}::decided --grid 1 x=randn:f32[8] flag=full(1):i32[1] out=empty:f32[8] --depends out[2] --report json
# args: run {file}::decided --grid 1 x=randn:f32[8] flag=full(1):i32[1] out=empty:f32[8] --depends out[9]
# args: run {file}::decided --grid 1 x=randn:f32[8] flag=full(1):i32[1] out=empty:f32[8] --depends out
# args: run {file}::decided --grid 1 x=randn:f32[8] flag=full(1):i32[1] out=empty:f32[8] --depends y[1]
"""Which elements an element of a result is made of: as value, as address, as condition; and questions that are wrong."""

import triton
import triton.language as tl


@triton.jit
def gathered(x, index, out, n):
    at = tl.program_id(0) * 8 + tl.arange(0, 8)
    i = tl.load(index + at)
    v = tl.load(x + i)
    tl.store(out + at, tl.where(v > 0, v, -v), mask=at < n)


@triton.jit
def ragged(x, starts, out):
    row = tl.program_id(0)
    first, last = tl.load(starts + row), tl.load(starts + row + 1)
    total = 0.0
    for i in range(first, last):
        total += tl.load(x + i)
    tl.store(out + row, total)


@triton.jit
def product(a, b, c):
    i, j = tl.arange(0, 16)[:, None], tl.arange(0, 16)[None, :]
    tl.store(c + i * 16 + j, tl.dot(tl.load(a + i * 16 + j), tl.load(b + i * 16 + j)))


@triton.jit
def decided(x, flag, out):
    at = tl.arange(0, 8)
    v = tl.load(x + at)
    if tl.load(flag) > 0:
        v = v + tl.max(v, 0)
    tl.store(out + at, v)
