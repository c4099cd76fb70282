# args: run {file}::copy_rows --grid 8 --check all keys=randn:f32[8,32] values=randn:f32[8,32] out=zeros:f32[8,32] KEYS=0 WIDTH=32
"""One base pointer serves two tensors: the distance to the second is added to it. Nothing says that they lie in one allocation."""

import triton
import triton.language as tl


@triton.jit
def copy_rows(keys, values, out, KEYS: tl.constexpr, WIDTH: tl.constexpr):
    row = tl.program_id(0)
    distance = 0 if KEYS else (values.to(tl.int64) - keys.to(tl.int64)) // 4
    place = row * WIDTH + tl.arange(0, WIDTH)
    tl.store(out + place, tl.load(keys + distance + place))
