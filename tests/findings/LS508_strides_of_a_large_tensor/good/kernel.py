# args: run {file}::visit --grid 1 --check all o=zeros:i32[1] total=1500000001 stride=600000000
"""It ends before the type does."""

import triton
import triton.language as tl


@triton.jit
def visit(o, total, stride):
    n = 0
    for i in range(0, total, stride):
        n += 1
    tl.store(o, n)
