# args: run {file}::keep_positive --check all,-tiles --fail-on info --schedules 8 --grid "cdiv(n, BLOCK)" x=randn:f32[512] count=zeros:i32[1] out=zeros:f32[512] n=512 BLOCK=64
"""Programs draw their places from a counter: the values come out in the order in which programs ran."""

import triton
import triton.language as tl


@triton.jit
def keep_positive(x, count, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    index = pid * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + index, mask=index < n, other=-1.0)
    keep = (values > 0).to(tl.int32)
    place = tl.atomic_add(count, tl.sum(keep)) + tl.cumsum(keep) - 1
    tl.store(out + place, values, mask=values > 0)
