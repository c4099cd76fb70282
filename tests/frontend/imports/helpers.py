import triton
import triton.language as tl

SHIFT = tl.constexpr(4)


@triton.jit
def scale(value):
    return value * 2


@triton.jit
def add_one(value):
    return value + 1
