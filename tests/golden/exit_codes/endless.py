"""Never ends."""

import triton
import triton.language as tl


@triton.jit
def endless(out):
    count = tl.load(out)
    while count >= 0:
        count = count * 0
    tl.store(out, count)
