"""A kernel with what only checkers find: programs that race for out[0], and a NaN that is born in the second of them."""

import triton
import triton.language as tl


@triton.jit
def meeting(x, out, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    value = tl.load(x + pid * BLOCK + column)
    root = tl.sqrt(value - 4.0 * pid)
    tl.store(out, pid)
    tl.store(out + 1 + pid * BLOCK + column, root)
