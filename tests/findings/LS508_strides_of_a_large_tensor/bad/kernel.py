# args: run {file}::visit --grid 1 --check all o=zeros:i32[1] total=2000000000 stride=1500000000
"""A stride of 1.5 billion: behind the second number there is no i32, and the loop goes round ten times."""

import triton
import triton.language as tl


@triton.jit
def visit(o, total, stride):
    n = 0
    for i in range(0, total, stride):
        n += 1
    tl.store(o, n)
