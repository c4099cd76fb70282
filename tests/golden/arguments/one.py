"""Stores a one."""

import triton
import triton.language as tl


@triton.jit
def one(out):
    tl.store(out, 1)
