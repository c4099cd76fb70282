"""Two kernels in a file."""

import triton
import triton.language as tl


@triton.jit
def first(out):
    tl.store(out, 1.0)


@triton.jit
def second(out):
    tl.store(out, 2.0)
