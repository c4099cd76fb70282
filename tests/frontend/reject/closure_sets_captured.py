# spec: o=*i32 n=i32
import triton
import triton.language as tl


def make(count):
    COUNT = tl.constexpr(count)

    @triton.jit
    def inner(n):
        for COUNT in tl.static_range(COUNT):
            n += COUNT
        return n

    return inner


f = make(3)


@triton.jit
def kernel(o, n):
    tl.store(o, f(n))
