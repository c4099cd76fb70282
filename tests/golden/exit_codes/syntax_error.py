"""Not Python."""

import triton


@triton.jit
def broken(out:
    pass
