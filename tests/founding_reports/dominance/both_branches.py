# args: run {file}::both_branches --grid 1 out=zeros:f32[1] n=3 --print out --expect out=@{folder}/both_branches.npy
"""Defined in both branches with one type, the name is there."""

import triton
import triton.language as tl


@triton.jit
def both_branches(out, n):
    if n > 0:
        value = 2.0
    else:
        value = 1.0
    tl.store(out, value)
