# args: run {file}::full_of_argument --grid 1 out=zeros:f32[1] value=0.0 --print out --expect out=@{folder}/full_of_argument.npy
"""The same with a float argument of the kernel."""

import triton
import triton.language as tl


@triton.jit
def full_of_argument(out, value):
    tl.store(out, tl.full(value.shape, 5.0, tl.float32))
