"""What Triton accepts and hardly anybody means: keywords of Python's range, messages of asserts that are no strings, names beside positional-only parameters."""
# spec: o=*i32 n=i32
import triton
import triton.language as tl


@triton.jit
def second(a, /, b):
    return b


@triton.jit
def checked(value, message):
    assert value > 0, message
    return value


@triton.jit
def kernel(o, n):
    assert n > 0, 3
    assert n > 1, None
    for i in range(0, n, step=2):
        tl.store(o + i, checked(i, n))
    for i in range(0, n, 1, 5, num_stages=2):
        tl.store(o + i, second(n, i))
