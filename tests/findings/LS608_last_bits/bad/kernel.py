# args: run {file}::softmax --grid 5 --fail-on warning x=randn:f32[5,100] y=empty:f32[5,100] columns=100 BLOCK=128 --expect y=@{folder}/../reference.npy --rtol 0 --atol 0
"""Right, and held to a reference that is rounded itself: nothing in the kernel is to be changed."""

import triton
import triton.language as tl


@triton.jit
def softmax(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    value = tl.load(x + row * columns + i, mask=i < columns, other=float("-inf"))
    power = tl.exp(value - tl.max(value, axis=0))
    tl.store(y + row * columns + i, power / tl.sum(power, axis=0), mask=i < columns)
