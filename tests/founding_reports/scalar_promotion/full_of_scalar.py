# args: run {file}::full_of_scalar --grid 1 out=full(7):f32[4] --print out --expect out=@{folder}/full_of_scalar.npy
"""The report: a Python scalar that was assigned is a tensor with a shape and a dtype."""

import triton
import triton.language as tl


@triton.jit
def full_of_scalar(out):
    value = 0.0
    nothing = tl.full(value.shape, 0, value.dtype)
    count = 3
    more = tl.full(count.shape, 9, count.dtype)
    tl.store(out, nothing)
    tl.store(out + 1, more)
    value += 2.5
    tl.store(out + 2, tl.full(value.shape, value, value.dtype))
    tl.store(out + 3, tl.full((), 5, value.dtype))
