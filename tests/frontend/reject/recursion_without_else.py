# spec: o=*i32
import triton
import triton.language as tl


@triton.jit
def count(n: tl.constexpr):
    if n == 0:
        return 0
    return n + count(n - 1)


@triton.jit
def kernel(o):
    tl.store(o, count(4))
