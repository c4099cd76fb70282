# spec: o=*i32 n=i32
import triton
import triton.language as tl


def make(k):
    @triton.jit
    def inner(n):
        return n + k

    return inner


f = make(3)


@triton.jit
def kernel(o, n):
    tl.store(o, f(n))
