# args: run {file}::window --grid 4 --check all --fail-on warning "x=randint(0,1000):i32[4,1024]" out=zeros:f32[4,1024] WIDTH=8 BLOCK=1024 --expect out=@{folder}/../reference.npy
"""Means over windows as differences of prefix sums. Of values around 100000.3 the sums hold no digit behind the point."""

import triton
import triton.language as tl


@triton.jit
def window(x, out, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    value = 100000.3 + tl.load(x + row * BLOCK + columns).to(tl.float32) * 0.001
    sums = tl.cumsum(value, axis=0)
    before = tl.gather(sums, tl.maximum(columns - WIDTH, 0), axis=0)
    tl.store(out + row * BLOCK + columns, tl.where(columns >= WIDTH, (sums - before) / WIDTH, 0.0))
