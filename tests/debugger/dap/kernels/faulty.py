"""A kernel that reads past its argument in its last program, and prints."""

import triton
import triton.language as tl


@triton.jit
def faulty(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offset = pid * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + offset)
    tl.device_print("pid", pid)
    tl.store(out + offset, value, mask=offset < n)
